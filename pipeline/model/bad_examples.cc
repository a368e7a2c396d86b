#include "pipeline/model/bad_examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "storage/walk.h"

namespace thresher::pipeline {

Result<std::vector<BadExample>> FindBadExamples(const ModelState& state) {
  std::vector<BadExample> bad;
  const auto visit = [&](const storage::Example& example) {
    if (auto wrong = WrongWithExample(example, state.id_space))
      bad.push_back({example.seq, *std::move(wrong), example.message_id, example.digest});
    return true;
  };
  const auto kept = storage::WalkKeptExamples(*state.database, [&](const storage::StoredExample& stored) {
    return !stored.example || visit(*stored.example);
  });
  if (!kept) return StoreFailure(kept.error());
  const auto read = state.log.Read(0, visit);
  if (!read) return StoreFailure(read.error());
  return bad;
}

Error BadExampleError(uint64_t seq, std::string_view what) {
  return {kData,
          fmt::format("the store is corrupt: example {}: {}; `thresher rebuild --without-bad` makes the "
                      "model again without it",
                      seq, what)};
}

}  // namespace thresher::pipeline
