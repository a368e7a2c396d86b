// A block of zero bytes straight from the kernel, in huge pages where it grants them.
//
// The memory of RowSlots: every look-up there is a random access, and with small pages most would also miss
// the TLB. Thread-safety: move-only value, one thread.
#pragma once

#include <cstddef>

namespace thresher::storage {

class ZeroedPages {
 public:
  ZeroedPages() = default;
  // Throws std::bad_alloc, as any allocation does.
  explicit ZeroedPages(size_t size);
  ~ZeroedPages();
  ZeroedPages(ZeroedPages&& other) noexcept;
  ZeroedPages& operator=(ZeroedPages&& other) noexcept;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace thresher::storage
