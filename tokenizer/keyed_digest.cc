#include "tokenizer/keyed_digest.h"

#include <nettle/hmac.h>

#include <array>
#include <cstring>

namespace thresher::tokenizer {
namespace {

const uint8_t* Bytes(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace

struct KeyedDigest::State {
  hmac_sha256_ctx hmac;
};

KeyedDigest::KeyedDigest(std::string_view secret) : state_(std::make_unique<State>()) {
  hmac_sha256_set_key(&state_->hmac, secret.size(), Bytes(secret));
}
KeyedDigest::~KeyedDigest() = default;

void KeyedDigest::Update(std::string_view bytes) {
  hmac_sha256_update(&state_->hmac, bytes.size(), Bytes(bytes));
}

void KeyedDigest::UpdateText(std::string_view text) {
  std::array<char, sizeof(uint64_t)> size{};
  const uint64_t number = text.size();
  std::memcpy(size.data(), &number, sizeof number);
  Update({size.data(), size.size()});
  Update(text);
}

uint64_t KeyedDigest::Finish() {
  uint64_t first = 0;
  std::array<uint8_t, sizeof first> bytes{};
  hmac_sha256_digest(&state_->hmac, bytes.size(), bytes.data());
  std::memcpy(&first, bytes.data(), sizeof first);
  return first;
}

}  // namespace thresher::tokenizer
