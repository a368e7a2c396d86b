// An array of numbers that may be larger than memory, in a mapped file without a name.
//
// It is appended to, or made at its full size; then it is used like any array, and the system keeps in memory
// only what is in use. The file is in the system's directory for temporary files ($TMPDIR) and disappears
// with this object, or with the process, however that ends. Called by ExampleStore. Thread-safety: one thread
// writes; then any number of threads may read.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/file_pointer.h"

namespace thresher::pipeline {

class ScratchFile {
 public:
  static Result<ScratchFile> Make();
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;

  // Buffered: a failure is reported here or by Map.
  Result<void> Append(std::span<const std::byte> bytes);
  // Makes an array of zeros and allocates its space on disk.
  Result<void> Reserve(size_t bytes);
  // The whole array. From now on its size is fixed; its elements may be written.
  Result<std::span<std::byte>> Map();

 private:
  explicit ScratchFile(FilePointer file) : file_(std::move(file)) {}

  FilePointer file_;
  size_t bytes_ = 0;
  std::span<std::byte> mapped_;
};

// A ScratchFile of one number type.
template <class T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static Result<ScratchArray> Make() {
    auto file = ScratchFile::Make();
    if (!file) return tl::unexpected(file.error());
    return ScratchArray(*std::move(file));
  }

  Result<void> Append(std::span<const T> items) { return file_.Append(std::as_bytes(items)); }
  Result<void> Reserve(size_t count) { return file_.Reserve(count * sizeof(T)); }
  Result<void> Map() {
    auto bytes = file_.Map();
    if (!bytes) return tl::unexpected(bytes.error());
    items_ = {reinterpret_cast<T*>(bytes->data()), bytes->size() / sizeof(T)};
    return {};
  }
  // REQUIRES: Map succeeded.
  std::span<T> items() { return items_; }
  std::span<const T> items() const { return items_; }

 private:
  explicit ScratchArray(ScratchFile file) : file_(std::move(file)) {}

  ScratchFile file_;
  std::span<T> items_;
};

}  // namespace thresher::pipeline
