// Short texts in one buffer, each with a handle.
//
// Used by WeightTable for the token texts of rows that are not stored yet. A handle is small enough to share
// a word with flags. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/byte_order.h"

namespace thresher::storage {

class TextArena {
 public:
  // The handle of the added text; 0 for the empty text, which takes no memory.
  uint64_t Add(std::string_view text) {
    if (text.empty()) return 0;
    const uint64_t handle = bytes_.size() + 1;
    AppendLittle(static_cast<uint32_t>(text.size()), &bytes_);
    bytes_.append(text);
    return handle;
  }

  // Valid until the next Add or Clear. REQUIRES: `handle` is 0 or came from Add since the last Clear.
  std::string_view Get(uint64_t handle) const {
    if (handle == 0) return {};
    const size_t size = LoadLittle<uint32_t>(bytes_.data() + handle - 1);
    return std::string_view(bytes_).substr(handle - 1 + sizeof(uint32_t), size);
  }

  // Gives the memory back, which an empty string that is assigned would not.
  void Clear() { std::string().swap(bytes_); }
  size_t bytes() const { return bytes_.size(); }
  size_t memory_bytes() const { return bytes_.capacity(); }

 private:
  std::string bytes_;
};

}  // namespace thresher::storage
