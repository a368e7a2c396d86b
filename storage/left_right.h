// A value that one thread changes while any number of threads read it; readers never lock and never wait.
//
// Left-Right (Ramalhete & Correia 2015): there are two copies. Readers read the front copy. The writer
// changes the back copy, swaps the two, and makes the same changes in the other copy before it makes new
// ones. Each reader has a word that says which copy it may be reading; the writer waits for readers that
// still read the copy it is about to change, because they began before the last swap. So a reader reads
// memory that no thread writes, never retries, and never prevents a swap.
//
// Used by the pipeline's LiveScorer. Thread-safety: one thread at a time writes; each reading thread has its
// own Reader. Readers may be made and destroyed meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace thresher::storage {

template <class T>
class LeftRight {
 public:
  LeftRight(T front, T back) : copies_{std::move(front), std::move(back)} {}
  LeftRight(const LeftRight&) = delete;
  LeftRight& operator=(const LeftRight&) = delete;

  class Reader;

  // For the writer: the copy that readers see if they begin now.
  const T& front() const { return copies_[front_.load(std::memory_order_relaxed)]; }
  // For the writer: the copy that no reader sees. Waits for readers that still read it since before the last
  // Swap.
  T& Back() {
    const unsigned back = 1 - front_.load(std::memory_order_relaxed);
    if (!is_back_free_) AwaitNobodyReads(back);
    is_back_free_ = true;
    return copies_[back];
  }
  // Readers that begin from now on read what was the back copy. REQUIRES: Back() was called since the last
  // Swap.
  void Swap() {
    front_.store(1 - front_.load(std::memory_order_relaxed));
    is_back_free_ = false;
  }

 private:
  static constexpr unsigned kBoth = 3;
  static unsigned BitOf(unsigned copy) { return 1U << copy; }

  void AwaitNobodyReads(unsigned copy) {
    const std::lock_guard lock(readers_mutex_);
    for (const Reader* reader : readers_) {
      while ((reader->may_read_.load() & BitOf(copy)) != 0) std::this_thread::yield();
    }
  }

  alignas(64) std::atomic<unsigned> front_ = 0;
  bool is_back_free_ = true;
  std::vector<const Reader*> readers_;
  std::mutex readers_mutex_;  // protects the list only
  std::array<T, 2> copies_;
};

// The access of one reading thread. REQUIRES: the LeftRight outlives it.
template <class T>
class LeftRight<T>::Reader {
 public:
  explicit Reader(LeftRight& value) : value_(&value) {
    const std::lock_guard lock(value_->readers_mutex_);
    value_->readers_.push_back(this);
  }
  ~Reader() {
    const std::lock_guard lock(value_->readers_mutex_);
    std::erase(value_->readers_, this);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Returns use(value). The value does not change before use returns. The writer may have to wait for it, so
  // it must be short and must not block.
  template <class Use>
  auto Read(const Use& use) {
    const Stay stay(*this);
    return use(stay.value());
  }

 private:
  // Claims both copies before it reads which is in front. If it read the front first and claimed that, the
  // writer could swap in between, see no claim, and begin to write. All these operations have one total
  // order: a reader that reads the front before a swap has claimed it before the writer looks for claims.
  class Stay {
   public:
    explicit Stay(Reader& reader) : reader_(&reader) {
      reader_->may_read_.store(kBoth);
      front_ = reader_->value_->front_.load();
      reader_->may_read_.store(BitOf(front_), std::memory_order_release);
    }
    ~Stay() { reader_->may_read_.store(0, std::memory_order_release); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

    const T& value() const { return reader_->value_->copies_[front_]; }

   private:
    Reader* reader_;
    unsigned front_;
  };

  friend class LeftRight;

  alignas(64) std::atomic<unsigned> may_read_ = 0;  // a bit for each copy; alone in its cache line
  LeftRight* value_;
};

}  // namespace thresher::storage
