#include "tokenizer/keyed_digest.h"

#include <glib.h>

#include <array>
#include <cstring>

namespace thresher::tokenizer {
namespace {

constexpr size_t kSha256Bytes = 32;

const guchar* Bytes(std::string_view bytes) { return reinterpret_cast<const guchar*>(bytes.data()); }

}  // namespace

struct KeyedDigest::State {
  explicit State(std::string_view secret)
      : hmac(g_hmac_new(G_CHECKSUM_SHA256, Bytes(secret), secret.size())) {}
  ~State() { g_hmac_unref(hmac); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  GHmac* hmac;
};

KeyedDigest::KeyedDigest(std::string_view secret) : state_(std::make_unique<State>(secret)) {}
KeyedDigest::~KeyedDigest() = default;

void KeyedDigest::Update(std::string_view bytes) {
  g_hmac_update(state_->hmac, Bytes(bytes), static_cast<gssize>(bytes.size()));
}

void KeyedDigest::UpdateText(std::string_view text) {
  std::array<char, sizeof(uint64_t)> size{};
  const uint64_t number = text.size();
  std::memcpy(size.data(), &number, sizeof number);
  Update({size.data(), size.size()});
  Update(text);
}

uint64_t KeyedDigest::Finish() {
  std::array<guint8, kSha256Bytes> digest{};
  gsize size = digest.size();
  g_hmac_get_digest(state_->hmac, digest.data(), &size);
  uint64_t first = 0;
  std::memcpy(&first, digest.data(), sizeof first);
  return first;
}

}  // namespace thresher::tokenizer
