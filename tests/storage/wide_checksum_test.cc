// The checksum by wide vectors is XXH3's.
#include "storage/wide_checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace thresher::storage {
namespace {

TEST(WideChecksumTest, IsThatOfTheLibrary) {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(70000);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
    const auto part = std::span(bytes).subspan(size % 8, size);
    EXPECT_EQ(WideChecksum(part), XXH3_64bits(part.data(), part.size())) << size;
  }
}

}  // namespace
}  // namespace thresher::storage
