// One line of an export: a JSON object of texts and numbers, not nested.
//
// A text may be any bytes: under KEY if they are UTF-8, else in hexadecimal under KEY_hex. Called by what
// writes and reads exports; docs/export.md lists the keys. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace thresher::pipeline {

// Sets KEY to `bytes`, or KEY_hex if they are not UTF-8.
void SetText(std::string_view key, std::string_view bytes, nlohmann::ordered_json* object);
// Sets KEY_hex, whatever the bytes are.
void SetHex(std::string_view key, std::string_view bytes, nlohmann::ordered_json* object);
// The line with its line feed, in ASCII: a terminal that it is shown on obeys nothing in it.
std::string LineOf(const nlohmann::ordered_json& object);

class FlatObject {
 public:
  // No line of an export has more. A member takes far more memory than it has bytes.
  static constexpr size_t kMostMembers = 10;

  // Nothing if `line` is not such an object, or has a key twice, or too many. Takes any bytes; uses at most a
  // small multiple of the line's size in memory.
  static std::optional<FlatObject> Parse(std::string_view line);

  // Nothing if there is no such member, or if it has another type.
  std::optional<uint64_t> Unsigned(std::string_view key) const;
  std::optional<int64_t> Signed(std::string_view key) const;
  std::optional<std::string> Text(std::string_view key) const;  // under KEY or KEY_hex
  std::optional<std::string> Hex(std::string_view key) const;   // under KEY_hex only
  bool Has(std::string_view key) const { return members_.contains(key); }

 private:
  using Value = std::variant<std::string, uint64_t, int64_t, double>;
  class Builder;

  template <class T>
  const T* Get(std::string_view key) const;

  std::map<std::string, Value, std::less<>> members_;
};

}  // namespace thresher::pipeline
