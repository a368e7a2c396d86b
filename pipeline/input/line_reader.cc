#include "pipeline/input/line_reader.h"

#include <cstring>

namespace thresher::pipeline {

Result<LineReader::Piece> LineReader::Next() {
  size_t searched = 0;
  while (true) {
    const char* const data = buffer_.get() + begin_;
    const size_t size = end_ - begin_;
    const void* const newline = std::memchr(data + searched, '\n', size - searched);
    size_t length =
        newline == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(newline) - data) + 1;
    if (length == 0 && size < kPieceBytes) {
      searched = size;
      const Result<size_t> count = ReadMore();
      if (!count) return tl::unexpected(count.error());
      if (*count > 0) continue;
    }
    if (length == 0) length = size;  // the buffer is full, or the stream has ended
    const Piece piece{{buffer_.get() + begin_, length}, at_line_begin_};
    begin_ += length;
    at_line_begin_ = piece.ends_line();
    return piece;
  }
}

Result<std::string_view> LineReader::Rest() {
  if (begin_ == end_) {
    const Result<size_t> count = ReadMore();
    if (!count) return tl::unexpected(count.error());
  }
  const std::string_view rest(buffer_.get() + begin_, end_ - begin_);
  begin_ = end_;
  at_line_begin_ = rest.ends_with('\n');
  return rest;
}

Result<size_t> LineReader::ReadMore() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  Result<size_t> count = stream_->Read(buffer_.get() + end_, kPieceBytes - end_);
  if (count) end_ += *count;
  return count;
}

}  // namespace thresher::pipeline
