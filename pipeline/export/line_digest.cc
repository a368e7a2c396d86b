#include "pipeline/export/line_digest.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace thresher::pipeline {

struct LineDigest::State {
  XXH3_state_t xxh;
};

LineDigest::LineDigest() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh); }
LineDigest::~LineDigest() = default;

void LineDigest::Add(std::string_view line) { XXH3_64bits_update(&state_->xxh, line.data(), line.size()); }

std::string LineDigest::Hex() const { return fmt::format("{:016x}", XXH3_64bits_digest(&state_->xxh)); }

}  // namespace thresher::pipeline
