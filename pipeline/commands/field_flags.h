// The option --field of vocab and explain: which fields of tokens are listed.
//
// Used by vocab.cc and explain.cc. Thread-safety: a plain value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

class FieldFlags {
 public:
  void AddTo(Command command);

  // --field NAME selects the fields that are named so; --field !NAME excludes one. Without --field, all
  // fields.
  bool Wants(std::string_view field) const;

  // An error if one of the names is neither a field that the tokenizer makes nor one of `known`: most likely
  // a typing error.
  Result<void> Check(const std::vector<std::string>& known) const;
  // What to say if one of the names is none of `known`, the fields of the message `name`; nothing if none is
  // known.
  std::optional<std::string> Missing(const std::vector<std::string>& known, std::string_view name) const;

 private:
  // The names that are none of `known`.
  std::vector<std::string_view> NotIn(const std::vector<std::string>& known) const;

  std::vector<std::string> fields_;
};

}  // namespace thresher::pipeline
