// Reads a stream line by line in bounded memory: a line longer than the buffer is returned in pieces.
//
// Called by the readers of messages, and by all that read lines: indexes, results, examples, replies, folder
// models, exports. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "pipeline/input/byte_stream.h"

namespace thresher::pipeline {

class LineReader {
 public:
  static constexpr size_t kPieceBytes = 64u << 10;

  explicit LineReader(std::unique_ptr<ByteStream> stream)
      : stream_(std::move(stream)), buffer_(std::make_unique_for_overwrite<char[]>(kPieceBytes)) {}

  struct Piece {
    std::string_view bytes;   // with its line end, if it has one; empty only at the end of the stream
    bool begins_line = true;  // false for the later pieces of a long line
    bool ends_line() const { return bytes.ends_with('\n'); }
  };

  // The view is valid until the next call.
  Result<Piece> Next();
  // Some of the bytes that follow, whatever their lines; empty only at the end of the stream. For who needs
  // no more lines. The view is valid until the next call.
  Result<std::string_view> Rest();

 private:
  // Puts more bytes behind those not returned yet, which become the first of the buffer. How many; 0 at the
  // end. REQUIRES: room for one.
  Result<size_t> ReadMore();

  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<char[]> buffer_;  // of kPieceBytes
  size_t begin_ = 0;                // of the bytes not returned yet
  size_t end_ = 0;
  bool at_line_begin_ = true;
};

}  // namespace thresher::pipeline
