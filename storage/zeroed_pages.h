// A block of zeroed memory from the kernel, in huge pages if the kernel provides them; it grows without a
// copy.
//
// Used by RowSlots: every look-up there is a random access, and with small pages most would also miss the
// TLB. Thread-safety: move-only value, one thread.
#pragma once

#include <cstddef>

namespace thresher::storage {

class ZeroedPages {
 public:
  // `size` bytes or a few more. Throws std::bad_alloc.
  explicit ZeroedPages(size_t size);
  ~ZeroedPages();
  ZeroedPages(ZeroedPages&& other) noexcept;
  ZeroedPages& operator=(ZeroedPages&& other) noexcept;

  // The real size of a block of `size` bytes: a multiple of a huge page if it is at least as large as one.
  static size_t SizeFor(size_t size);

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

  // Grows to `size` bytes or a few more. The added bytes are zero, the others keep their content; data() may
  // change. If it throws std::bad_alloc, nothing has changed. REQUIRES: `size` > size().
  void Grow(size_t size);

 private:
  std::byte* data_;
  size_t size_;
};

}  // namespace thresher::storage
