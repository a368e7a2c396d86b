#include "storage/zeroed_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace thresher::storage {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

std::byte* Map(size_t size) {
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();  // NOLINT(*-cast): the macro's
  return static_cast<std::byte*>(mapped);
}

void AskForHugePages(std::byte* mapped, size_t size) {
  if (size >= kHugePage)
    madvise(mapped, size, MADV_HUGEPAGE);  // only advice: without huge pages it is slower
}

// Huge pages exist, and are moved as a whole, only at addresses that are multiples of their size.
std::byte* MapAligned(size_t size) {
  if (size < kHugePage) return Map(size);
  std::byte* mapped = Map(size + kHugePage);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(mapped) % kHugePage) % kHugePage;
  if (before > 0) munmap(mapped, before);
  if (before < kHugePage) munmap(mapped + before + size, kHugePage - before);
  AskForHugePages(mapped + before, size);
  return mapped + before;
}

}  // namespace

size_t ZeroedPages::SizeFor(size_t size) {
  return size < kHugePage ? size : (size + kHugePage - 1) / kHugePage * kHugePage;
}

ZeroedPages::ZeroedPages(size_t size) : data_(MapAligned(SizeFor(size))), size_(SizeFor(size)) {}

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

void ZeroedPages::Grow(size_t size) {
  const size_t larger_size = SizeFor(size);
  std::byte* larger = MapAligned(larger_size);
  // Moves and grows in one call: then the block is one mapping, and kernels before 6.17 cannot move several.
  if (mremap(data_, size_, larger_size, MREMAP_MAYMOVE | MREMAP_FIXED, larger) != larger) {
    munmap(larger, larger_size);
    throw std::bad_alloc();
  }
  AskForHugePages(larger, larger_size);
  data_ = larger;
  size_ = larger_size;
}

}  // namespace thresher::storage
