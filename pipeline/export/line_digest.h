// A checksum of an export's lines, so that one that was cut, joined or damaged on its way is not taken for
// whole.
//
// Thread-safety: one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace thresher::pipeline {

class LineDigest {
 public:
  LineDigest();
  ~LineDigest();
  LineDigest(const LineDigest&) = delete;
  LineDigest& operator=(const LineDigest&) = delete;

  void Add(std::string_view line);
  // XXH3-64 of all of them, 16 digits.
  std::string Hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thresher::pipeline
