// The XXH3 of bytes that come in pieces.
//
// Called by image_making.cc, and by exports, imports and snapshots of models, which detect by it what was
// lost or damaged. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thresher::storage {

class StreamDigest {
 public:
  StreamDigest();
  ~StreamDigest();
  StreamDigest(StreamDigest&& other) noexcept;
  StreamDigest& operator=(StreamDigest&& other) = delete;

  void Add(std::string_view bytes);

  // XXH3-64 of all bytes added; and the same in 16 hexadecimal digits.
  uint64_t Number() const;
  std::string Hex() const;
  // XXH3-128 in 32 hexadecimal digits.
  std::string LongHex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thresher::storage
