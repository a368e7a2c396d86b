// A digest that only who knows a secret can make or foresee: HMAC with SHA-256.
//
// Called by message_key.cc; the only file that knows which library computes it. Thread-safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace thresher::tokenizer {

class KeyedDigest {
 public:
  explicit KeyedDigest(std::string_view secret);
  ~KeyedDigest();
  KeyedDigest(const KeyedDigest&) = delete;
  KeyedDigest& operator=(const KeyedDigest&) = delete;

  void Update(std::string_view bytes);
  // The size, then the bytes, so that no two series of texts are alike.
  void UpdateText(std::string_view text);
  // The first 64 bits. REQUIRES: called once.
  uint64_t Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace thresher::tokenizer
