// Items prepared by several threads and consumed strictly in order.
//
// Called by replay and by fit/example_source.cc: it makes them fast, and their result does not depend on the
// number of threads.
//
// All threads are equal: each prepares the next item; a thread that finds the next item to consume ready
// consumes it and the ready ones after it, while the others go on preparing. At most kWindow items are
// prepared ahead. Thread-safety: consume is called by one thread at a time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace thresher::pipeline {

// Calls prepare(thread, i, item) for every i in [0, count) on `threads` threads, and consume(i, item) in the
// order of i, one at a time. A consume that returns false ends the run: no further item is consumed. An
// exception of either ends the run as well and is rethrown here. Items are reused.
template <class Item, class Prepare, class Consume>
void ForEachInOrder(size_t count, size_t threads, const Prepare& prepare, const Consume& consume) {
  constexpr size_t kWindow = 64;
  struct Slot {
    Item item;
    bool ready = false;
  };
  std::vector<Slot> slots(kWindow);
  std::mutex mutex;  // guards all below and every Slot::ready
  std::condition_variable moved;
  size_t next_to_prepare = 0;
  size_t next_to_consume = 0;
  bool consuming = false;
  bool stopped = false;
  std::exception_ptr fault;

  // Returns step(), or false if it throws. Called without the lock.
  const auto guarded = [&](const auto& step) {
    try {
      return step();
    } catch (...) {
      const std::scoped_lock guard(mutex);
      if (!fault) fault = std::current_exception();
      return false;
    }
  };

  const auto work = [&](size_t thread) {
    std::unique_lock lock(mutex);
    while (true) {
      moved.wait(lock, [&] {
        return stopped || next_to_prepare == count || next_to_prepare < next_to_consume + kWindow;
      });
      if (stopped || next_to_prepare == count) return;
      const size_t mine = next_to_prepare++;
      lock.unlock();
      const bool prepared = guarded([&] {
        prepare(thread, mine, slots[mine % kWindow].item);
        return true;
      });
      lock.lock();
      slots[mine % kWindow].ready = prepared;
      stopped = stopped || !prepared;
      if (stopped) moved.notify_all();

      if (consuming) continue;
      consuming = true;
      while (!stopped && next_to_consume < count && slots[next_to_consume % kWindow].ready) {
        Slot& slot = slots[next_to_consume % kWindow];
        lock.unlock();
        const bool go_on = guarded([&] { return consume(next_to_consume, slot.item); });
        lock.lock();
        slot.ready = false;
        ++next_to_consume;
        stopped = stopped || !go_on;
        moved.notify_all();
      }
      consuming = false;
    }
  };

  {
    std::vector<std::jthread> helpers;
    for (size_t thread = 1; thread < threads; ++thread) helpers.emplace_back(work, thread);
    work(0);
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace thresher::pipeline
