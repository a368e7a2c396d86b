// Compares sixteen bytes with one at a time, without branches.
//
// Used by the tables that find rows by a byte of their ids (row_slots.h, image_file.h). Thread-safety: pure
// functions.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

namespace thresher::storage {

inline constexpr size_t kBytesMatched = 16;

// Bit i is 1 if bytes[i] is equal to `byte`.
inline uint32_t MatchBytes(const uint8_t* bytes, uint8_t byte) {
#ifdef __SSE2__
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i equal = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<uint32_t>(_mm_movemask_epi8(equal));
#else
  uint32_t matches = 0;
  for (size_t i = 0; i < kBytesMatched; ++i) matches |= (bytes[i] == byte ? 1U : 0U) << i;
  return matches;
#endif
}

// Which byte is the first that matches; if there is none, some number below kBytesMatched.
inline size_t FirstMatch(uint32_t matches) {
  return static_cast<size_t>(std::countr_zero(matches | 1U << (kBytesMatched - 1)));
}

}  // namespace thresher::storage
