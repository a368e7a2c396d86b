#include "tests/storage/filled_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

#include "tests/storage/outcome.h"

namespace thresher::storage {

std::unique_ptr<Database> OpenForWriting(const TestDirectory& scratch) {
  auto database = Database::OpenOrCreate(scratch.model(), {}, Durability::kOs, std::chrono::milliseconds(0));
  EXPECT_TRUE(Succeeded(database));
  return *std::move(database);
}

std::vector<uint64_t> Numbers(uint64_t first, uint64_t last) {
  std::vector<uint64_t> numbers(last - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::vector<uint64_t> SpreadNumbers(uint64_t first, uint64_t last) {
  constexpr int kBits = 20;
  EXPECT_LE(last, uint64_t{1} << kBits);
  std::vector<uint64_t> numbers = Numbers(first, last);
  for (uint64_t& number : numbers) number <<= 64 - kBits;
  return numbers;
}

void Fill(WeightTable& table, const std::vector<uint64_t>& ids, std::byte fill) {
  FoundRows found;
  ASSERT_TRUE(Succeeded(table.Find(ids, &found)));
  const auto rows = table.Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  table.KeepTexts(found, std::vector<uint8_t>(ids.size(), 1), [](size_t) { return "text"; });
  for (std::byte* row : *rows) std::memset(row, static_cast<int>(fill), kRowBytes);
}

bool AllLive(const std::byte* /*row*/) { return true; }
bool NoneLive(const std::byte* /*row*/) { return false; }
bool IsNotZero(const std::byte* row) {
  return std::any_of(row, row + kRowBytes, [](std::byte each) { return each != std::byte{0}; });
}

}  // namespace thresher::storage
