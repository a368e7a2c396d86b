// Sorts what has ids of rows by them.
//
// Called for the rows of a checkpoint and of a score image. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace thresher::storage {

// A bucket sort in place, as a second array would be a tenth of the memory of a large checkpoint: ids are
// hashes and spread evenly, so that after distribution by their first bits each bucket has few items to sort.
// first_bits(item): the first 32 bits of its id, at hand; id_of(item): all of it, which is needed for few.
template <class Item, class FirstBits, class IdOf>
void SortById(std::span<Item> items, const FirstBits& first_bits, const IdOf& id_of) {
  constexpr unsigned kBits = 12;
  constexpr size_t kBuckets = size_t{1} << kBits;
  const auto bucket_of = [&](const Item& item) { return size_t{first_bits(item) >> (32 - kBits)}; };
  const auto is_before = [&](const Item& a, const Item& b) {
    const uint32_t first = first_bits(a);
    const uint32_t second = first_bits(b);
    return first != second ? first < second : id_of(a) < id_of(b);
  };
  std::array<size_t, kBuckets + 1> begins{};
  for (const Item& item : items) ++begins[bucket_of(item) + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::array<size_t, kBuckets> next{};  // the first place of each bucket whose item may be of another one
  std::copy_n(begins.begin(), kBuckets, next.begin());
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    while (next[bucket] < begins[bucket + 1]) {
      Item& here = items[next[bucket]];
      const size_t its = bucket_of(here);
      // Each exchange brings an item to its bucket.
      if (its != bucket) std::swap(here, items[next[its]]);
      ++next[its];
    }
    std::ranges::sort(items.subspan(begins[bucket], begins[bucket + 1] - begins[bucket]), is_before);
  }
}

}  // namespace thresher::storage
