#include "pipeline/input/line_reader.h"

#include <cstring>

namespace thresher::pipeline {

Result<LineReader::Piece> LineReader::Next() {
  size_t searched = 0;
  while (true) {
    const char* const data = buffer_.data() + begin_;
    const size_t size = end_ - begin_;
    const void* const newline = std::memchr(data + searched, '\n', size - searched);
    size_t length =
        newline == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(newline) - data) + 1;
    if (length == 0 && size < buffer_.size()) {
      searched = size;
      std::memmove(buffer_.data(), data, size);
      begin_ = 0;
      end_ = size;
      const Result<size_t> count = stream_->Read(buffer_.data() + end_, buffer_.size() - end_);
      if (!count) return tl::unexpected(count.error());
      end_ += *count;
      if (*count > 0) continue;
    }
    if (length == 0) length = size;  // the buffer is full, or the stream has ended
    const Piece piece{{buffer_.data() + begin_, length}, at_line_begin_};
    begin_ += length;
    at_line_begin_ = piece.ends_line();
    return piece;
  }
}

}  // namespace thresher::pipeline
