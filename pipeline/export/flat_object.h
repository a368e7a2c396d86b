// One line of an export: a JSON object of texts and numbers, nothing nested.
//
// Texts may be any bytes: under KEY where they are UTF-8, else in hexadecimal under KEY_hex. Used by what
// writes and reads exports; docs/export.md says which keys there are. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace thresher::pipeline {

// Builds a line, keys in the order in which they are added.
class FlatObjectWriter {
 public:
  FlatObjectWriter& Add(std::string_view key, uint64_t value) {
    return AddLiteral(key, std::to_string(value));
  }
  FlatObjectWriter& Add(std::string_view key, int64_t value) {
    return AddLiteral(key, std::to_string(value));
  }
  // Finite; reads back as the same bits.
  FlatObjectWriter& Add(std::string_view key, double value);
  FlatObjectWriter& AddText(std::string_view key, std::string_view bytes);
  // KEY_hex, whatever the bytes are.
  FlatObjectWriter& AddHex(std::string_view key, std::string_view bytes);

  // The line with its end.
  std::string Line() const { return "{" + members_ + "}\n"; }

 private:
  FlatObjectWriter& AddLiteral(std::string_view key, std::string_view json);

  std::string members_;
};

class FlatObject {
 public:
  // Nothing if `line` is not such an object, or has a key twice. Total; takes no more memory than a small
  // multiple of the line.
  static std::optional<FlatObject> Parse(std::string_view line);

  // Each nothing if there is no such member, or it is of another kind.
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
