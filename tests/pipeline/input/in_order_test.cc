#include "pipeline/input/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>
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

TEST(ForEachInOrder, ThrowsWhatEitherThrows) {
  for (const size_t threads : {1u, 4u}) {
    for (const bool in_prepare : {true, false}) {
      size_t consumed = 0;
      const auto run = [&] {
        ForEachInOrder<int>(
            100000, threads,
            [&](size_t, size_t i, int&) {
              if (in_prepare && i == 500) throw std::bad_alloc();
            },
            [&](size_t i, const int&) {
              if (!in_prepare && i == 500) throw std::bad_alloc();
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
