// A value that one thread changes while any number of threads read it, without a lock or a wait on their
// side.
//
// Left-Right, after Ramalhete & Correia 2015: there are two copies. Readers read the front one; the writer
// changes the back one, swaps them, and makes the same changes in the other before it goes on to new ones. A
// reader says in a word of its own which copy it may be reading, and the writer waits for those that still
// read the copy it is about to change: they began before the last swap. So a reader sees plain memory that
// nobody writes, never repeats anything, and never keeps the writer from swapping.
//
// Used by the pipeline's LiveScorer. Thread-safety: one thread at a time writes; each reading thread has a
// Reader of its own. Readers may come and go meanwhile.
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

  // For the writer. What readers see from now on:
  const T& front() const { return copies_[front_.load(std::memory_order_relaxed)]; }
  // The copy that no reader sees; waits for those that have not left it since the last Swap.
  T& Back() {
    const unsigned back = 1 - front_.load(std::memory_order_relaxed);
    if (!is_back_free_) AwaitNobodyReads(back);
    is_back_free_ = true;
    return copies_[back];
  }
  // Readers that begin from now on read what was the back. REQUIRES: it was had by Back() since the last
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
  std::mutex readers_mutex_;  // of the list only
  std::array<T, 2> copies_;
};

// One thread's access. REQUIRES: the LeftRight outlives it.
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

  // use(value), which stays as it is until that returns. The writer may come to wait for it: it must be short
  // and must not block.
  template <class Use>
  auto Read(const Use& use) {
    const Stay stay(*this);
    return use(stay.value());
  }

 private:
  // Both copies are claimed before it is known which is in front: had it only been looked up first, the
  // writer could have swapped, found nobody there, and begun to write. In the one order of all these
  // operations, a front that is read before a swap was claimed before the writer looks for claims to it.
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

  alignas(64) std::atomic<unsigned> may_read_ = 0;  // a bit for each copy; in no other reader's cache line
  LeftRight* value_;
};

}  // namespace thresher::storage
