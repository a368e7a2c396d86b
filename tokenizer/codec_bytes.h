// The numbers and bytes that encodings of features are made of.
//
// Used by feature_codec.cc, message_record.cc and token_run.h. A varint has 7 bits a byte, low first, and the
// high bit set on all but the last. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

inline void PutVarint(uint64_t number, std::string* out) {
  for (; number >= 0x80; number >>= 7) out->push_back(static_cast<char>(number | 0x80));
  out->push_back(static_cast<char>(number));
}

inline void PutBytes(const void* bytes, size_t size, std::string* out) {
  out->append(static_cast<const char*>(bytes), size);
}

// Reads numbers and bytes from the front of an encoding. After the first read past its end, or Fail, Ok() is
// false and every read returns zero or nothing.
class CodecReader {
 public:
  explicit CodecReader(std::string_view bytes) : bytes_(bytes) {}

  bool Ok() const { return ok_; }
  size_t Left() const { return bytes_.size(); }

  std::string_view Bytes(uint64_t size) {
    if (size > bytes_.size()) return Fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  unsigned char Byte() {
    const std::string_view byte = Bytes(1);
    return byte.empty() ? 0 : static_cast<unsigned char>(byte[0]);
  }

  uint64_t Varint() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = Byte();
      number |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return number;
    }
    Fail();
    return 0;
  }

  std::string_view Fail() {
    ok_ = false;
    bytes_ = {};
    return {};
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace thresher::tokenizer
