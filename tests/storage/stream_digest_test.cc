// A digest of pieces is that of the whole, as others compute it.
#include "storage/stream_digest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace thresher::storage {
namespace {

TEST(StreamDigest, OfPiecesIsThatOfTheWhole) {
  for (const size_t size : {0U, 1U, 240U, 241U, 1000U, 5000U}) {
    std::string whole;
    for (size_t i = 0; i < size; ++i) whole += static_cast<char>(i * i + 3 * i);
    const XXH128_hash_t wide = XXH3_128bits(whole.data(), whole.size());
    for (const size_t piece : {1U, 7U, 256U, 4096U}) {
      StreamDigest digest;
      for (std::string_view left = whole; !left.empty(); left.remove_prefix(std::min(piece, left.size())))
        digest.Add(left.substr(0, piece));
      const StreamDigest moved = std::move(digest);
      EXPECT_EQ(moved.Number(), XXH3_64bits(whole.data(), whole.size())) << size;
      EXPECT_EQ(moved.Hex(), fmt::format("{:016x}", moved.Number()));
      EXPECT_EQ(moved.LongHex(), fmt::format("{:016x}{:016x}", wide.high64, wide.low64)) << size;
    }
  }
}

}  // namespace
}  // namespace thresher::storage
