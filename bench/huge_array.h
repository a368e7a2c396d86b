// Zeroed memory in huge pages if the system provides them, as in the store's weight table. Without them a
// benchmark would mostly measure the look-up of pages.
//
// Used by the learners' benchmarks. Thread-safety: none.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <span>

namespace thresher::bench {

template <class T>
class HugeArray {
 public:
  explicit HugeArray(size_t size) : size_(size) {
    void* const mapped =
        mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();  // NOLINT(*-cast): the cast is in the macro
    madvise(mapped, size * sizeof(T), MADV_HUGEPAGE);
    data_ = static_cast<T*>(mapped);
  }
  ~HugeArray() { munmap(data_, size_ * sizeof(T)); }
  HugeArray(const HugeArray&) = delete;
  HugeArray& operator=(const HugeArray&) = delete;

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* data() { return data_; }
  size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

 private:
  T* data_;
  size_t size_;
};

}  // namespace thresher::bench
