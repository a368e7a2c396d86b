#include "pipeline/input/byte_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "pipeline/input/zstd_filter.h"

namespace thresher::pipeline {
namespace {

namespace io = boost::iostreams;
using namespace std::string_view_literals;

enum class Compression { kNone, kGzip, kBzip2, kXz, kZstd };

// Until there are bytes, or the end, or a signal.
void AwaitBytes(int number) {
  pollfd waits{.fd = number, .events = POLLIN, .revents = 0};
  ::poll(&waits, 1, -1);
  errno = EAGAIN;
}

// Ten bytes of bzip2 (its block magic is π in hexadecimal): no text starts with them.
Compression CompressionOf(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b\x08"sv)) return Compression::kGzip;
  if (bytes.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv)) return Compression::kXz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  const bool bzip2_head =
      bytes.size() >= kMagicBytes && bytes.starts_with("BZh"sv) && bytes[3] >= '1' && bytes[3] <= '9';
  if (bzip2_head && (bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv ||
                     bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv)) {
    return Compression::kBzip2;
  }
  return Compression::kNone;
}

// The bytes read to find the format, then the rest of the file.
class BegunFile {
 public:
  BegunFile(InputFile file, std::string begun) : file_(std::move(file)), begun_(std::move(begun)) {}

  const std::string& path() const { return file_.path(); }

  Result<size_t> Read(char* buffer, size_t capacity) {
    if (position_ == begun_.size()) return file_.Read(buffer, capacity);
    const size_t count = begun_.copy(buffer, capacity, position_);
    position_ += count;
    return count;
  }

 private:
  InputFile file_;
  std::string begun_;
  size_t position_ = 0;
};

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(BegunFile file) : file_(std::move(file)) {}
  Result<size_t> Read(char* buffer, size_t capacity) override { return file_.Read(buffer, capacity); }

 private:
  BegunFile file_;
};

class CompressedStream final : public ByteStream {
 public:
  CompressedStream(BegunFile file, Compression compression) : file_(std::move(file)) {
    switch (compression) {
      case Compression::kGzip:
        chain_.push(io::gzip_decompressor());
        break;
      case Compression::kBzip2:
        chain_.push(io::bzip2_decompressor());
        break;
      case Compression::kXz:
        chain_.push(io::lzma_decompressor());
        break;
      case Compression::kZstd:
        chain_.push(ZstdFilter());
        break;
      case Compression::kNone:
        break;
    }
    chain_.push(Source{this});
  }

  // A decoder that throws loses what it decoded in the same call: hence the small pieces.
  Result<size_t> Read(char* buffer, size_t capacity) override {
    constexpr size_t kPiece = 4096;
    try {
      const std::streamsize count =
          chain_.sgetn(buffer, static_cast<std::streamsize>(std::min(capacity, kPiece)));
      if (!read_error_) return count > 0 ? static_cast<size_t>(count) : 0;
    } catch (const std::exception&) {
      if (!read_error_) {
        return tl::unexpected(FileError(kData, file_.path(), "compressed data is truncated or corrupt"));
      }
    }
    return tl::unexpected(*read_error_);
  }

 private:
  struct Source {
    using char_type = char;
    using category = io::source_tag;
    std::streamsize read(char* buffer, std::streamsize capacity) {
      const Result<size_t> count = stream->file_.Read(buffer, static_cast<size_t>(capacity));
      if (!count) stream->read_error_ = count.error();
      return count && *count > 0 ? static_cast<std::streamsize>(*count) : -1;
    }
    CompressedStream* stream;
  };

  BegunFile file_;
  std::optional<Error> read_error_;
  io::filtering_streambuf<io::input> chain_;
};

}  // namespace

Result<InputFile> InputFile::Open(const std::string& path, Links links) {
  if (path == "-") return InputFile(STDIN_FILENO, "standard input");
  const int no_link = links == Links::kRefuse ? O_NOFOLLOW : 0;
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | no_link);
  if (number < 0) return tl::unexpected(FileError(kNoInput, path, std::strerror(errno)));
  return InputFile(number, path);
}

InputFile::~InputFile() {
  if (number_ > STDIN_FILENO) close(number_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)), path_(std::move(other.path_)) {}

Result<size_t> InputFile::Read(char* buffer, size_t capacity) const {
  ssize_t count = 0;
  do {
    count = read(number_, buffer, capacity);
    // A parent may have made standard input non-blocking.
    if (count < 0 && errno == EAGAIN) AwaitBytes(number_);
  } while (count < 0 && (errno == EINTR || errno == EAGAIN));
  if (count >= 0) return static_cast<size_t>(count);
  const int code = errno == EISDIR ? kNoInput : kIo;
  return tl::unexpected(FileError(code, path_, std::strerror(errno)));
}

bool IsCompressed(std::string_view bytes) { return CompressionOf(bytes) != Compression::kNone; }

std::unique_ptr<ByteStream> RestOf(InputFile file) {
  return std::make_unique<PlainStream>(BegunFile(std::move(file), ""));
}

std::unique_ptr<ByteStream> StreamOf(InputFile file, std::string begun) {
  const Compression compression = CompressionOf(begun);
  BegunFile whole(std::move(file), std::move(begun));
  if (compression == Compression::kNone) return std::make_unique<PlainStream>(std::move(whole));
  return std::make_unique<CompressedStream>(std::move(whole), compression);
}

Result<std::unique_ptr<ByteStream>> OpenStream(const std::string& path, Links links) {
  Result<InputFile> file = InputFile::Open(path, links);
  if (!file) return tl::unexpected(file.error());
  constexpr size_t kMostMessages = 16u << 10;  // are not larger, so that one call reads them
  std::string begun(kMostMessages, '\0');
  size_t size = 0;
  while (size < kMagicBytes) {
    const Result<size_t> count = file->Read(begun.data() + size, begun.size() - size);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    size += *count;
  }
  begun.resize(size);
  return StreamOf(std::move(*file), std::move(begun));
}

}  // namespace thresher::pipeline
