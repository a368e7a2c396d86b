#include "pipeline/model/model_digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

// Rows come in any order, so their hashes are added up.
Result<std::string> DigestOf(ModelState& state) {
  if (state.applied_seq == 0) return std::string();
  if (auto loaded = state.weights.LoadAll(); !loaded) return StoreFailure(loaded.error());
  const size_t row_bytes = state.learner().RowBytes();
  uint64_t sum = 0;
  state.weights.ForEach([&](uint64_t id, const std::byte* row) {
    if (state.IsLive(row)) sum += XXH3_64bits_withSeed(row, row_bytes, id);
  });
  const auto globals = state.globals.Stored();
  const uint64_t digest = XXH3_64bits_withSeed(globals.data(), globals.size(), sum ^ state.applied_seq);
  return fmt::format("{} examples, {:016x}", state.applied_seq, digest);
}

}  // namespace thresher::pipeline
