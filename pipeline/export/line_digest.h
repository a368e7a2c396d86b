// A checksum of the lines of an export: an import detects that lines were lost, joined or damaged.
//
// Called by ExportModel and ExportLines. Thread-safety: one thread.
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
  // XXH3-64 of all lines added, in 16 hexadecimal digits.
  std::string Hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thresher::pipeline
