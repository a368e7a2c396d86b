// What a file of the score image has where. FORMAT.md describes it.
//
// Used by image_file.cc, which reads it, and image_making.cc. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace thresher::storage {

inline constexpr std::array<char, 16> kImageMagic = {'t', 'h', 'r', 'e', 's', 'h', 'e', 'r',
                                                     ' ', 'i', 'm', 'a', 'g', 'e', ' ', '4'};

inline constexpr unsigned kTagBits = 8;
inline constexpr unsigned kIdBits = 64;
// Group and tag have the other bits of an id at least.
inline constexpr size_t kEndBytes = 6;
inline constexpr unsigned kEndBits = 8 * kEndBytes;
// An entry is the end of an id, and the number of its bytes among the distinct ones.
inline constexpr size_t kEntryBytes = kEndBytes + sizeof(uint32_t);

// Each section begins at a multiple of 8 bytes.
inline size_t PaddedSection(size_t bytes) { return (bytes + 7) / 8 * 8; }

// The number of first bits of an id that name its group. A group has two to four rows on average, or fewer in
// a small file; with smaller ones the positions of the groups would be a tenth of the file.
inline unsigned GroupBits(size_t rows) {
  constexpr unsigned kLeast = kIdBits - kEndBits - kTagBits;
  return std::max(kLeast + 2, static_cast<unsigned>(std::bit_width(rows))) - 2;
}

inline size_t GroupOfId(uint64_t id, unsigned bits) { return id >> (kIdBits - bits); }
inline uint8_t TagOfId(uint64_t id, unsigned bits) {
  return static_cast<uint8_t>(id >> (kIdBits - bits - kTagBits));
}

inline uint64_t EndOfId(uint64_t id) { return id & ((uint64_t{1} << kEndBits) - 1); }

// Numbers are little-endian, as in memory.
struct ImageHeader {
  std::array<char, 16> magic = kImageMagic;
  uint64_t checksum = 0;  // XXH3 of everything after it
  uint64_t applied_seq = 0;
  uint64_t row_bytes = 0;
  uint64_t rows = 0;
  uint64_t distinct_rows = 0;  // by their bytes
  uint64_t meta_bytes = 0;
  uint64_t globals_bytes = 0;

  static constexpr size_t kUnchecked = sizeof magic + sizeof checksum;
};

}  // namespace thresher::storage
