// Reads a stream line by line in bounded memory: a line longer than the buffer is returned in pieces.
//
// Called by the readers of messages, indexes, results and exports. Thread-safety: one thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "pipeline/input/byte_stream.h"

namespace thresher::pipeline {

class LineReader {
 public:
  static constexpr size_t kPieceBytes = 64u << 10;

  explicit LineReader(std::unique_ptr<ByteStream> stream)
      : stream_(std::move(stream)), buffer_(kPieceBytes) {}

  struct Piece {
    std::string_view bytes;   // with its line end, if it has one; empty only at the end of the stream
    bool begins_line = true;  // false for the later pieces of a long line
    bool ends_line() const { return bytes.ends_with('\n'); }
  };

  // The view is valid until the next call.
  Result<Piece> Next();

 private:
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the bytes not returned yet
  size_t end_ = 0;
  bool at_line_begin_ = true;
};

}  // namespace thresher::pipeline
