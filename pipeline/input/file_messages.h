// The messages of one file: the file itself, or those of an mbox.
//
// Called by source.cc. Thread-safety: one thread.
#pragma once

#include <optional>
#include <string>

#include "pipeline/input/byte_stream.h"
#include "pipeline/input/line_reader.h"
#include "pipeline/input/source.h"

namespace thresher::pipeline {

class FileMessages {
 public:
  static Result<FileMessages> Open(const std::string& path, Format format, size_t message_limit, Links links);

  // After an error there are no more messages.
  Result<bool> Next(RawMessage* message);

 private:
  FileMessages(std::string path, Format format, size_t message_limit, LineReader lines)
      : path_(std::move(path)), format_(format), message_limit_(message_limit), lines_(std::move(lines)) {}
  Result<bool> Begin();
  Result<void> ReadToEnd(RawMessage* message);
  Result<void> ReadToFromLine(RawMessage* message);
  void Append(std::string_view piece, RawMessage* message) const;

  std::string path_;
  Format format_;
  size_t message_limit_;
  LineReader lines_;
  bool is_open_ = false;  // the first line has been read
  bool is_mbox_ = false;
  size_t count_ = 0;  // messages delivered so far
  std::optional<std::string>
      begun_;  // first bytes of the next message: in an mbox its From line and a line; none at the end
};

}  // namespace thresher::pipeline
