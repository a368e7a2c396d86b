// Items taken one after the other, prepared by several threads, and consumed strictly in order.
//
// Called by replay, by classify and by fit/example_source.cc: it makes them fast, and their result does not
// depend on the number of threads.
//
// All threads are equal: each takes and prepares the next item; a thread that finds the next item to consume
// ready consumes it and the ready ones after it, while the others go on preparing. At most kWindow items are
// prepared ahead, by a single thread none. Items are reused: an item that is large keeps its memory.
// Thread-safety: take is called by one thread at a time, and so is consume.
#pragma once

#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace thresher::pipeline {

// The threads of one ForEachInOrder, and what they share.
template <class Item, class Take, class Prepare, class Consume>
class InOrder {
 public:
  InOrder(size_t threads, const Take& take, const Prepare& prepare, const Consume& consume)
      : threads_(threads),
        take_(take),
        prepare_(prepare),
        consume_(consume),
        slots_(threads == 1 ? 1 : kWindow) {}

  void Run() {
    Work(0);
    helpers_.clear();  // joins them
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  static constexpr size_t kWindow = 16;
  struct Slot {
    Item item;
    bool ready = false;
  };
  Slot& SlotOf(size_t i) { return slots_[i % slots_.size()]; }

  void Work(size_t thread) {
    while (const auto mine = TakeNext(thread)) {
      Slot& slot = SlotOf(*mine);
      const bool prepared = Guarded([&] {
        prepare_(thread, *mine, slot.item);
        return true;
      });
      std::unique_lock lock(mutex_);
      slot.ready = prepared;
      if (stopped_) moved_.notify_all();
      ConsumeReady(lock);
    }
  }

  // The number of the item that this thread has taken; nothing at the end.
  std::optional<size_t> TakeNext(size_t thread) {
    const std::scoped_lock turn(taking_mutex_);
    {
      std::unique_lock lock(mutex_);
      moved_.wait(lock, [&] { return stopped_ || ended_ || taken_ < consumed_ + slots_.size(); });
      if (stopped_ || ended_) return std::nullopt;
    }
    const size_t mine = taken_;  // only who takes changes it
    const bool more = Guarded([&] {
      if (!take_(thread, mine)) return false;
      if (mine > helpers_.size() && helpers_.size() + 1 < threads_)
        helpers_.emplace_back([this, helper = helpers_.size() + 1] { Work(helper); });
      return true;
    });
    const std::scoped_lock lock(mutex_);
    ended_ = ended_ || !more;
    if (!more) return std::nullopt;
    return taken_++;
  }

  void ConsumeReady(std::unique_lock<std::mutex>& lock) {
    if (consuming_) return;
    consuming_ = true;
    while (!stopped_ && consumed_ < taken_ && SlotOf(consumed_).ready) {
      Slot& slot = SlotOf(consumed_);
      lock.unlock();
      const bool go_on = Guarded([&] { return consume_(consumed_, slot.item); });
      lock.lock();
      slot.ready = false;
      ++consumed_;
      stopped_ = stopped_ || !go_on;
      moved_.notify_all();
    }
    consuming_ = false;
  }

  // Returns step(), or false if it throws. REQUIRES: mutex_ is not held.
  template <class Step>
  bool Guarded(const Step& step) {
    try {
      return step();
    } catch (...) {
      const std::scoped_lock guard(mutex_);
      if (!fault_) fault_ = std::current_exception();
      stopped_ = true;
      return false;
    }
  }

  size_t threads_;
  const Take& take_;
  const Prepare& prepare_;
  const Consume& consume_;
  std::mutex taking_mutex_;  // held by who takes an item; guards helpers_
  std::mutex mutex_;         // guards what follows, every Slot::ready included, but for helpers_
  std::condition_variable moved_;
  std::vector<Slot> slots_;
  size_t taken_ = 0;
  size_t consumed_ = 0;
  bool consuming_ = false;
  bool stopped_ = false;  // nothing more is taken or consumed
  bool ended_ = false;    // nothing more is taken
  std::exception_ptr fault_;
  std::vector<std::jthread> helpers_;
};

// For i = 0, 1, … calls take(thread, i), which gets the item from where it comes, until that returns false;
// then prepare(thread, i, item), on `threads` threads; then consume(i, item), in the order of i. A consume
// that returns false ends the run: no further item is consumed. An exception of any of them ends the run as
// well and is rethrown here. Items are reused. A thread begins when there is an item for it.
template <class Item, std::invocable<size_t, size_t> Take, class Prepare, class Consume>
void ForEachInOrder(size_t threads, const Take& take, const Prepare& prepare, const Consume& consume) {
  InOrder<Item, Take, Prepare, Consume>(threads, take, prepare, consume).Run();
}

// The same for i in [0, count).
template <class Item, class Prepare, class Consume>
void ForEachInOrder(size_t count, size_t threads, const Prepare& prepare, const Consume& consume) {
  ForEachInOrder<Item>(
      threads, [count](size_t, size_t i) { return i < count; }, prepare, consume);
}

}  // namespace thresher::pipeline
