// Items taken one after the other, prepared by several threads, and consumed strictly in order.
//
// Called by replay, by classify and by fit/example_source.cc: it makes them fast, and their result does not
// depend on the number of threads.
//
// All threads are equal: each takes and prepares the next item; a thread that finds the next item to consume
// ready consumes it and the ready ones after it, while the others go on preparing. At most kWindow items are
// prepared ahead. Thread-safety: take is called by one thread at a time, and so is consume.
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

// For i = 0, 1, … calls take(thread, i), which gets the item from where it comes, until that returns false;
// then prepare(thread, i, item), on `threads` threads; then consume(i, item), in the order of i. A consume
// that returns false ends the run: no further item is consumed. An exception of any of them ends the run as
// well and is rethrown here. Items are reused. A thread begins when there is an item for it.
template <class Item, std::invocable<size_t, size_t> Take, class Prepare, class Consume>
void ForEachInOrder(size_t threads, const Take& take, const Prepare& prepare, const Consume& consume) {
  constexpr size_t kWindow = 64;
  struct Slot {
    Item item;
    bool ready = false;
  };
  std::vector<Slot> slots(kWindow);
  std::mutex taking;  // held by who takes an item; guards helpers
  std::vector<std::jthread> helpers;
  std::mutex mutex;  // guards all below and every Slot::ready
  std::condition_variable moved;
  size_t taken = 0;
  size_t consumed = 0;
  bool consuming = false;
  bool stopped = false;  // nothing more is taken or consumed
  bool ended = false;    // nothing more is taken
  std::exception_ptr fault;

  // Returns step(), or false if it throws. Called without the lock.
  const auto guarded = [&](const auto& step) {
    try {
      return step();
    } catch (...) {
      const std::scoped_lock guard(mutex);
      if (!fault) fault = std::current_exception();
      stopped = true;
      return false;
    }
  };

  // The number of the item that this thread has taken; nothing at the end.
  const auto take_next = [&](size_t thread, const auto& work) -> std::optional<size_t> {
    const std::scoped_lock turn(taking);
    {
      std::unique_lock lock(mutex);
      moved.wait(lock, [&] { return stopped || ended || taken < consumed + kWindow; });
      if (stopped || ended) return std::nullopt;
    }
    const size_t mine = taken;  // only who takes changes it
    const bool more = guarded([&] {
      if (!take(thread, mine)) return false;
      if (mine > helpers.size() && helpers.size() + 1 < threads)
        helpers.emplace_back(work, work, helpers.size() + 1);
      return true;
    });
    const std::scoped_lock lock(mutex);
    ended = ended || !more;
    if (!more) return std::nullopt;
    return taken++;
  };

  const auto consume_ready = [&](std::unique_lock<std::mutex>& lock) {
    if (consuming) return;
    consuming = true;
    while (!stopped && consumed < taken && slots[consumed % kWindow].ready) {
      Slot& slot = slots[consumed % kWindow];
      lock.unlock();
      const bool go_on = guarded([&] { return consume(consumed, slot.item); });
      lock.lock();
      slot.ready = false;
      ++consumed;
      stopped = stopped || !go_on;
      moved.notify_all();
    }
    consuming = false;
  };

  const auto work = [&](const auto& self, size_t thread) -> void {
    while (const auto mine = take_next(thread, self)) {
      const bool prepared = guarded([&] {
        prepare(thread, *mine, slots[*mine % kWindow].item);
        return true;
      });
      std::unique_lock lock(mutex);
      slots[*mine % kWindow].ready = prepared;
      if (stopped) moved.notify_all();
      consume_ready(lock);
    }
  };

  work(work, 0);
  helpers.clear();  // joins them
  if (fault) std::rethrow_exception(fault);
}

// The same for i in [0, count).
template <class Item, class Prepare, class Consume>
void ForEachInOrder(size_t count, size_t threads, const Prepare& prepare, const Consume& consume) {
  ForEachInOrder<Item>(
      threads, [count](size_t, size_t i) { return i < count; }, prepare, consume);
}

}  // namespace thresher::pipeline
