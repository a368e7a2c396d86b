// Numbers that may be more than memory holds: in a file without a name, mapped where they are read.
//
// Appended to, or made in its whole size; then an array like any other, of which the system keeps in memory
// what is in use. It lies in the system's folder for temporary files ($TMPDIR) and is gone with this object,
// or with the process, however that ends. Used by ExampleStore. Thread-safety: one thread writes; any number
// read.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <type_traits>

#include "pipeline/error.h"

namespace thresher::pipeline {

class ScratchFile {
 public:
  static Result<ScratchFile> Make();
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;

  // Buffered; what cannot be written shows here or at Map.
  Result<void> Append(std::span<const std::byte> bytes);
  // Zeros, with room on the disk for them all.
  Result<void> Reserve(size_t bytes);
  // All of it, from now on of fixed size; may be written to.
  Result<std::span<std::byte>> Map();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit ScratchFile(std::FILE* file) : file_(file) {}

  std::unique_ptr<std::FILE, CloseFile> file_;
  size_t bytes_ = 0;
  std::span<std::byte> mapped_;
};

// A ScratchFile of one type of number.
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
