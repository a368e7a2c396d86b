// Reads the lines of an export one at a time, each a JSON object.
//
// Called by ImportModel. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/error.h"
#include "pipeline/export/flat_object.h"
#include "pipeline/export/line_digest.h"
#include "pipeline/input/line_reader.h"

namespace thresher::pipeline {

// In bytes. ExportModel writes no longer ones.
inline constexpr size_t kLongestExportLine = size_t{64} << 20;

class ExportLines {
 public:
  static Result<ExportLines> Open(const std::string& path);

  // The next line; nothing at the end. An error if it is not an object, or longer than any line of an export.
  Result<std::optional<FlatObject>> Next();

  // The error "PATH, line 17: WHAT" about the last line read.
  Error Wrong(std::string_view what) const;
  uint64_t number() const { return number_; }
  // The digest of all lines before the last line read.
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
