// The bytes of a file or of standard input, decompressed if they are gzip, bzip2, xz or zstd.
//
// The first bytes decide the format, never the name. Called by the readers of files in input/, and
// by what gives a file to a LineReader. Thread-safety: one thread per stream.
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

  // Reads some bytes, at most `capacity`; 0 at the end. Truncated or corrupt compressed data is an error; the
  // bytes read before it are good.
  virtual Result<size_t> Read(char* buffer, size_t capacity) = 0;
};

// Whether a path may be a symbolic link to the file.
enum class Links { kFollow, kRefuse };

// An open file, closed by its destructor unless it is standard input.
class InputFile {
 public:
  // `path` "-" is standard input.
  static Result<InputFile> Open(const std::string& path, Links links = Links::kFollow);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  int number() const { return number_; }
  const std::string& path() const { return path_; }
  // read(2), repeated if a signal interrupts it.
  Result<size_t> Read(char* buffer, size_t capacity) const;

 private:
  InputFile(int number, std::string path) : number_(number), path_(std::move(path)) {}
  int number_;
  std::string path_;
};

// Whether `bytes` start like one of the compressed formats.
bool IsCompressed(std::string_view bytes);

// The stream of `file`, of which the caller has already read `begun`: at least the first kMagicBytes bytes,
// or the whole file if it is shorter. They decide the format.
inline constexpr size_t kMagicBytes = 10;
std::unique_ptr<ByteStream> StreamOf(InputFile file, std::string begun);

// What follows in `file` from its present position, not decompressed.
std::unique_ptr<ByteStream> RestOf(InputFile file);

// Opens `path` ("-": standard input).
Result<std::unique_ptr<ByteStream>> OpenStream(const std::string& path, Links links = Links::kFollow);

}  // namespace thresher::pipeline
