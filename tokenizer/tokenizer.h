// Turns the bytes of a message into features.
//
// Any bytes give features, never an exception or an error, and the limits of Options bound the work. Called
// by the pipeline, from many threads with one Tokenizer each. Thread-safety: a Tokenizer holds scratch memory
// and serves one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/options.h"

namespace thresher::tokenizer {

enum class Kind {
  kMail,      // headers, an empty line, a body
  kDocument,  // plain text: all of it body
};

class Tokenizer {
 public:
  // `seed` is that of the model: the same text has different ids in different models.
  Tokenizer(const Options& options, uint64_t seed);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // Replaces *out by the features of `bytes`. If `user` is not empty, that user's own tokens follow
  // (AddTokensOf).
  void Tokenize(std::string_view bytes, Kind kind, Features* out, std::string_view user = {});

  // Replaces *out by the features of what a tokenizer kept in Features::message. False if it is no such
  // record.
  bool TokenizeRecord(std::string_view record, Features* out);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::tokenizer
