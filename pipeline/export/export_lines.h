// Reads the lines of an export one at a time, each a JSON object.
//
// Called by ImportModel. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/error.h"
#include "pipeline/export/flat_object.h"
#include "pipeline/input/whole_line.h"
#include "storage/stream_digest.h"

namespace thresher::pipeline {

class ExportLines {
 public:
  static Result<ExportLines> Open(const std::string& path);

  // The next line; nothing at the end. An error if it is not an object, or longer than kLongestLine.
  Result<std::optional<FlatObject>> Next();

  // The error "PATH, line 17: WHAT" about the last line read.
  Error Wrong(std::string_view what) const;
  // The digest of all lines before the last line read.
  std::string DigestBefore() const { return digest_before_; }

 private:
  ExportLines(std::string path, std::unique_ptr<ByteStream> stream)
      : path_(std::move(path)), reader_(std::move(stream)) {}

  std::string path_;
  LineReader reader_;
  storage::StreamDigest digest_;
  std::string line_;
  std::string digest_before_;
  uint64_t number_ = 0;
};

}  // namespace thresher::pipeline
