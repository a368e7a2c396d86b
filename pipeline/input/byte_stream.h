// The bytes of a file or of standard input, decompressed where they are gzip, bzip2, xz or zstd.
//
// What it is compressed by is told by the first bytes, never by the name. Used by everything in input/.
// Thread-safety: a stream serves one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads some bytes, at most `capacity`; 0 at the end. Truncated or corrupt compressed data is an error;
  // what was read before it is good.
  virtual Result<size_t> Read(char* buffer, size_t capacity) = 0;
};

// An open file that closes itself. Not closed: standard input.
class Descriptor {
 public:
  // `path` "-" is standard input.
  static Result<Descriptor> Open(const std::string& path);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  const std::string& path() const { return path_; }
  // read(2), begun again when interrupted.
  Result<size_t> Read(char* buffer, size_t capacity) const;

 private:
  Descriptor(int number, std::string path) : number_(number), path_(std::move(path)) {}
  int number_;
  std::string path_;
};

// Whether `bytes` begins like one of the compressed formats.
bool IsCompressed(std::string_view bytes);

// The stream of `file`, from which `begun` has been read already. To tell the format, `begun` must hold the
// first kMagicBytes bytes, or all there are.
inline constexpr size_t kMagicBytes = 10;
std::unique_ptr<ByteStream> StreamOf(Descriptor file, std::string begun);

// Opens `path` ("-": standard input).
Result<std::unique_ptr<ByteStream>> OpenStream(const std::string& path);

}  // namespace thresher::pipeline
