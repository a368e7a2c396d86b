#include "storage/stream_digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace thresher::storage {

// The state of XXH3-64 and of XXH3-128 is the same one.
struct StreamDigest::State {
  State() : xxh(XXH3_createState(), &XXH3_freeState) {
    if (!xxh) throw std::bad_alloc();
    XXH3_64bits_reset(xxh.get());
  }
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> xxh;
};

StreamDigest::StreamDigest() : state_(std::make_unique<State>()) {}
StreamDigest::~StreamDigest() = default;
StreamDigest::StreamDigest(StreamDigest&& other) noexcept = default;

void StreamDigest::Add(std::string_view bytes) {
  XXH3_64bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

uint64_t StreamDigest::Number() const { return XXH3_64bits_digest(state_->xxh.get()); }

std::string StreamDigest::Hex() const { return fmt::format("{:016x}", Number()); }

std::string StreamDigest::LongHex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace thresher::storage
