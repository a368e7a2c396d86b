// The lines of an export, one at a time, each an object: what an import reads.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/error.h"
#include "pipeline/export/flat_object.h"
#include "pipeline/export/line_digest.h"
#include "pipeline/input/line_reader.h"

namespace thresher::pipeline {

class ExportLines {
 public:
  static Result<ExportLines> Open(const std::string& path);

  // The next one; nothing at the end. An error if it is no object, or longer than any that we write.
  Result<std::optional<FlatObject>> Next();

  // Of the last line, "PATH, line 17: WHAT".
  Error Wrong(std::string_view what) const;
  uint64_t number() const { return number_; }
  // Of all lines before the last one.
  std::string DigestBefore() const { return digest_before_; }

 private:
  ExportLines(std::string path, std::unique_ptr<ByteStream> stream)
      : path_(std::move(path)), reader_(std::move(stream)), digest_(std::make_unique<LineDigest>()) {}

  std::string path_;
  LineReader reader_;
  std::unique_ptr<LineDigest> digest_;
  std::string line_;
  std::string digest_before_;
  uint64_t number_ = 0;
};

}  // namespace thresher::pipeline
