// A block of zero bytes straight from the kernel, in huge pages where it grants them; it grows without a
// copy.
//
// The memory of RowSlots: every look-up there is a random access, and with small pages most would also miss
// the TLB. Thread-safety: move-only value, one thread.
#pragma once

#include <cstddef>

namespace thresher::storage {

class ZeroedPages {
 public:
  // `size` bytes or a few more. Throws std::bad_alloc, as any allocation does.
  explicit ZeroedPages(size_t size);
  ~ZeroedPages();
  ZeroedPages(ZeroedPages&& other) noexcept;
  ZeroedPages& operator=(ZeroedPages&& other) noexcept;

  // What a block of `size` has in truth: whole huge pages, from one on.
  static size_t SizeFor(size_t size);

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

  // Makes it `size` bytes or a few more, the added ones zero; the others stay as they are, but data() may be
  // elsewhere. Throws std::bad_alloc and leaves all as it was. REQUIRES: `size` > size().
  void Grow(size_t size);

 private:
  std::byte* data_;
  size_t size_;
};

}  // namespace thresher::storage
