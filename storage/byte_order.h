// Fixed-width integers in keys (big-endian, so that byte order is number order) and values (little-endian).
//
// Used by every file of this folder that writes bytes (FORMAT.md says where each is used), and by the records
// of a cluster. Thread-safety: pure functions.
#pragma once

#include <bit>
#include <concepts>
#include <cstring>
#include <string>

namespace thresher::storage {

static_assert(std::endian::native == std::endian::little,
              "rows are stored with the byte order they have in memory");

template <std::unsigned_integral T>
constexpr T ByteSwapped(T value) {
  T swapped = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    swapped = static_cast<T>((swapped << 8) | (value & 0xff));
    value = static_cast<T>(value >> 8);
  }
  return swapped;
}

// REQUIRES: sizeof(T) readable bytes.
template <std::integral T>
T LoadLittle(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <std::integral T>
void AppendLittle(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// REQUIRES: sizeof(T) readable bytes.
template <std::unsigned_integral T>
T LoadBig(const char* bytes) {
  return ByteSwapped(LoadLittle<T>(bytes));
}

template <std::unsigned_integral T>
void AppendBig(T value, std::string* out) {
  AppendLittle(ByteSwapped(value), out);
}

}  // namespace thresher::storage
