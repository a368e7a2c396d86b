#include "pipeline/input/file_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/input/from_line.h"

namespace thresher::pipeline {

Result<FileMessages> FileMessages::Open(const std::string& path, Format format, size_t message_limit,
                                        Links links) {
  Result<std::unique_ptr<ByteStream>> stream = OpenStream(path, links);
  if (!stream) return tl::unexpected(stream.error());
  return FileMessages(path, format, message_limit, LineReader(std::move(*stream)));
}

Result<bool> FileMessages::Next(RawMessage* message) {
  if (!is_open_) {
    is_open_ = true;
    Result<bool> any = Begin();
    if (!any || !*any) return any;
  }
  if (!begun_) return false;
  message->bytes.clear();
  message->is_cut = false;
  Append(*begun_, message);
  begun_.reset();
  ++count_;
  const Result<void> read = is_mbox_ ? ReadToFromLine(message) : ReadToEnd(message);
  if (!read) {
    begun_.reset();
    return tl::unexpected(read.error());
  }
  message->may_be_mbox = format_ == Format::kAuto && !is_mbox_ && message->bytes.starts_with("From ") &&
                         message->bytes.find("\nFrom ") != std::string::npos;
  message->name = path_;
  if (count_ > 1 || begun_) message->name += fmt::format("#{}", count_);
  return true;
}

// Reads the first line, which decides whether the file is an mbox. False for a file without messages.
Result<bool> FileMessages::Begin() {
  const Result<LineReader::Piece> first = lines_.Next();
  if (!first) return tl::unexpected(first.error());
  const bool has_from_line = IsFromLine(first->bytes);
  is_mbox_ = format_ == Format::kMbox || (format_ == Format::kAuto && has_from_line);
  if (first->bytes.empty() && format_ != Format::kMessage) return false;
  if (is_mbox_ && !has_from_line) {
    return tl::unexpected(FileError(kData, path_, "not an mbox: it does not begin with a From line"));
  }
  begun_ = first->bytes;
  return true;
}

Result<void> FileMessages::ReadToEnd(RawMessage* message) {
  while (!message->is_cut) {
    const Result<std::string_view> rest = lines_.Rest();
    if (!rest) return tl::unexpected(rest.error());
    if (rest->empty()) break;
    Append(*rest, message);
  }
  return {};
}

// The next message begins at a From line of the body that a head follows. The empty line before it, or at the
// end, belongs to the mbox and not to the message, as does the quote before a line that begins with "From ":
// with it the message would have another key than where it lies in a file of its own.
Result<void> FileMessages::ReadToFromLine(RawMessage* message) {
  bool in_body = false;
  size_t empty_line_bytes = 0;  // size of the last line, if it is empty
  Result<LineReader::Piece> piece = lines_.Next();
  while (piece && !piece->bytes.empty()) {
    if (in_body && piece->begins_line && IsFromLine(piece->bytes)) {
      std::string from_line(piece->bytes);
      piece = lines_.Next();
      if (piece && piece->begins_line && BeginsHead(piece->bytes)) {
        begun_ = from_line.append(piece->bytes);
        break;
      }
      Append(from_line, message);
      empty_line_bytes = 0;
      continue;
    }
    if (in_body && piece->begins_line && IsQuotedFrom(piece->bytes)) piece->bytes.remove_prefix(1);
    const bool is_empty_line = piece->begins_line && (piece->bytes == "\n" || piece->bytes == "\r\n");
    empty_line_bytes = is_empty_line ? piece->bytes.size() : 0;
    Append(piece->bytes, message);
    in_body = in_body || is_empty_line;
    piece = lines_.Next();
  }
  if (!piece) return tl::unexpected(piece.error());
  if (!message->is_cut) message->bytes.resize(message->bytes.size() - empty_line_bytes);
  return {};
}

void FileMessages::Append(std::string_view piece, RawMessage* message) const {
  const size_t room = message_limit_ - message->bytes.size();
  message->bytes.append(piece.substr(0, room));
  if (piece.size() > room) message->is_cut = true;
}

}  // namespace thresher::pipeline
