// Readers see one complete value or the next, whatever the writer does. ThreadSanitizer (preset tsan) checks
// the memory accesses.
#include "storage/left_right.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace thresher::storage {
namespace {

// All numbers equal the stamp, and a larger stamp has more numbers.
struct Stamped {
  std::vector<uint64_t> numbers = {0};
};

void Stamp(LeftRight<Stamped>& value, uint64_t stamp) {
  Stamped& back = value.Back();
  back.numbers.resize(1 + stamp % 1000);
  std::fill(back.numbers.begin(), back.numbers.end(), stamp);
  value.Swap();
}

// The stamp; the largest possible number if the numbers differ or their count is wrong.
uint64_t StampOf(const Stamped& value) {
  const uint64_t stamp = value.numbers.front();
  const bool whole = value.numbers.size() == 1 + stamp % 1000 &&
                     std::all_of(value.numbers.begin(), value.numbers.end(),
                                 [stamp](uint64_t number) { return number == stamp; });
  return whole ? stamp : ~uint64_t{0};
}

TEST(LeftRightTest, ReadersSeeWholeValuesInTheirOrder) {
  constexpr uint64_t kLast = 20000;
  constexpr int kThreads = 4;
  LeftRight<Stamped> value({}, {});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  readers.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    readers.emplace_back([&] {
      uint64_t seen = 0;
      while (seen < kLast) {
        LeftRight<Stamped>::Reader reader(value);  // they come and go
        for (int i = 0; i < 50 && seen < kLast; ++i) {
          const uint64_t stamp = reader.Read(StampOf);
          if (stamp < seen || stamp > kLast) ++wrong;
          seen = stamp;
        }
      }
    });
  }
  for (uint64_t stamp = 1; stamp <= kLast; ++stamp) Stamp(value, stamp);
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LeftRightTest, AReaderKeepsWhatItReadsAndOthersSeeTheNext) {
  LeftRight<Stamped> value({}, {});
  LeftRight<Stamped>::Reader slow(value);
  LeftRight<Stamped>::Reader quick(value);
  std::thread writer;
  slow.Read([&](const Stamped& kept) {
    Stamp(value, 1);  // nobody reads the back: no wait
    EXPECT_EQ(quick.Read(StampOf), 1U);
    writer = std::thread([&value] { Stamp(value, 2); });  // waits for `slow`
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(StampOf(kept), 0U);
      EXPECT_EQ(quick.Read(StampOf), 1U);
      std::this_thread::yield();
    }
  });
  writer.join();
  EXPECT_EQ(slow.Read(StampOf), 2U);
}

}  // namespace
}  // namespace thresher::storage
