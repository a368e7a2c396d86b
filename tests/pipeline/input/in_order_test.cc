#include "pipeline/input/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace thresher::pipeline {
namespace {

TEST(ForEachInOrder, ConsumesEverythingOnceInOrder) {
  for (const size_t threads : {1u, 2u, 3u, 8u}) {
    for (const size_t count : {0u, 1u, 63u, 64u, 65u, 5000u}) {
      std::vector<size_t> consumed;
      ForEachInOrder<size_t>(
          count, threads,
          [](size_t, size_t i, size_t& item) {
            if (i % 97 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));  // stragglers
            item = i * 3;
          },
          [&](size_t i, const size_t& item) {
            EXPECT_EQ(item, i * 3);
            consumed.push_back(i);
            return true;
          });
      ASSERT_EQ(consumed.size(), count);
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(consumed[i], i);
    }
  }
}

TEST(ForEachInOrder, TakesOneAtATimeInOrderUntilTheEnd) {
  for (const size_t threads : {1u, 4u}) {
    for (const size_t count : {0u, 1u, 64u, 3000u}) {
      std::atomic<int> inside{0};
      std::vector<size_t> at_hand(threads);
      size_t taken = 0;
      size_t consumed = 0;
      ForEachInOrder<size_t>(
          threads,
          [&](size_t thread, size_t i) {
            EXPECT_EQ(inside.fetch_add(1), 0);
            EXPECT_EQ(i, taken);
            at_hand[thread] = 5 * i;
            inside.fetch_sub(1);
            return taken < count && ++taken > 0;
          },
          [&](size_t thread, size_t, size_t& item) { item = at_hand[thread]; },
          [&](size_t i, const size_t& item) {
            EXPECT_EQ(i, consumed++);
            EXPECT_EQ(item, 5 * i);
            return true;
          });
      EXPECT_EQ(taken, count);
      EXPECT_EQ(consumed, count);
    }
  }
}

TEST(ForEachInOrder, OneItemNeedsNoFurtherThread) {
  const auto caller = std::this_thread::get_id();
  bool is_taken = false;
  ForEachInOrder<int>(
      8,
      [&](size_t, size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return !std::exchange(is_taken, true);
      },
      [&](size_t, size_t, int&) { EXPECT_EQ(std::this_thread::get_id(), caller); },
      [&](size_t, const int&) { return true; });
}

TEST(ForEachInOrder, ConsumesOneAtATime) {
  std::atomic<int> inside{0};
  ForEachInOrder<int>(
      2000, 4, [](size_t, size_t, int&) {},
      [&](size_t, const int&) {
        EXPECT_EQ(inside.fetch_add(1), 0);
        inside.fetch_sub(1);
        return true;
      });
}

TEST(ForEachInOrder, ThrowsWhatAnyOfThemThrows) {
  for (const size_t threads : {1u, 4u}) {
    for (const char* const thrower : {"take", "prepare", "consume"}) {
      const auto throw_if = [thrower](std::string_view name, size_t i) {
        if (name == thrower && i == 500) throw std::bad_alloc();
      };
      size_t consumed = 0;
      const auto run = [&] {
        ForEachInOrder<int>(
            threads,
            [&](size_t, size_t i) {
              throw_if("take", i);
              return i < 100000;
            },
            [&](size_t, size_t i, int&) { throw_if("prepare", i); },
            [&](size_t i, const int&) {
              throw_if("consume", i);
              consumed = i + 1;
              return true;
            });
      };
      EXPECT_THROW(run(), std::bad_alloc);
      EXPECT_LE(consumed, 500u);
    }
  }
}

TEST(ForEachInOrder, StopsWhenToldTo) {
  for (const size_t threads : {1u, 4u}) {
    size_t last = 0;
    ForEachInOrder<int>(
        100000, threads, [](size_t, size_t, int&) {},
        [&](size_t i, const int&) {
          last = i;
          return i < 500;
        });
    EXPECT_EQ(last, 500u);
  }
}

TEST(ForEachInOrder, ThreadNumbersAreDistinct) {
  std::vector<std::atomic<int>> inside(4);
  ForEachInOrder<int>(
      3000, 4,
      [&](size_t thread, size_t, int&) {
        EXPECT_EQ(inside[thread].fetch_add(1), 0);
        inside[thread].fetch_sub(1);
      },
      [](size_t, const int&) { return true; });
}

}  // namespace
}  // namespace thresher::pipeline
