// A stream line by line, in bounded memory: a line too long for the buffer comes in pieces.
//
// Used by the mbox and file sources and the TREC index. Thread-safety: serves one thread.
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
    std::string_view bytes;   // with the line end, where it has one; empty only at the end of the stream
    bool begins_line = true;  // false for what continues a long line
    bool ends_line() const { return bytes.ends_with('\n'); }
  };

  // The view holds until the next call.
  Result<Piece> Next();

 private:
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of what has not been handed out
  size_t end_ = 0;
  bool at_line_begin_ = true;
};

}  // namespace thresher::pipeline
