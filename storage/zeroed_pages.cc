#include "storage/zeroed_pages.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace thresher::storage {

ZeroedPages::ZeroedPages(size_t size) : size_(size) {
  constexpr size_t kHugePage = size_t{2} << 20;
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();  // NOLINT(*-cast): the macro's
  data_ = static_cast<std::byte*>(mapped);
  if (size >= kHugePage) madvise(mapped, size, MADV_HUGEPAGE);  // advice only: refused, it costs speed alone
}

ZeroedPages::~ZeroedPages() {
  if (data_ != nullptr) munmap(data_, size_);
}

ZeroedPages::ZeroedPages(ZeroedPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ZeroedPages& ZeroedPages::operator=(ZeroedPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace thresher::storage
