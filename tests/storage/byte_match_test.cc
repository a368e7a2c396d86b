#include "storage/byte_match.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace thresher::storage {
namespace {

TEST(MatchBytes, AgreesWithALoop) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    std::array<uint8_t, kBytesMatched> bytes{};
    // Few values, and those at both ends, so that many are equal or differ in one bit.
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() % 5 * 63 + random() % 2);
    const auto wanted = static_cast<uint8_t>(random() % 5 * 63 + random() % 2);
    uint32_t expected = 0;
    size_t first = kBytesMatched;
    for (size_t i = kBytesMatched; i-- > 0;) {
      if (bytes[i] != wanted) continue;
      expected |= 1U << i;
      first = i;
    }
    ASSERT_EQ(MatchBytes(bytes.data(), wanted), expected);
    if (expected != 0) {
      EXPECT_EQ(FirstMatch(expected), first);
    }
    EXPECT_LT(FirstMatch(expected), kBytesMatched);
  }
}

}  // namespace
}  // namespace thresher::storage
