#include "pipeline/model/scoring_by_part.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/model/log_applier.h"
#include "pipeline/model/rebuild_policy.h"
#include "pipeline/model/state.h"
#include "pipeline/model/store_error.h"
#include "storage/found_rows.h"

namespace thresher::pipeline {
namespace {

Result<std::vector<Score>> ScoreEach(ModelState& state, std::span<const uint64_t> scored) {
  std::vector<Score> scores;
  storage::FoundRows found;
  for (const uint64_t seq : scored) {
    const auto example = state.log.Get(seq);
    if (!example) return StoreFailure(example.error());
    if (!*example || storage::IsForgotten(**example))
      return tl::unexpected(
          Error{kBusy, fmt::format("example {} has left the log meanwhile; try again", seq)});
    const auto features = state.Decode(**example);
    if (!features) return tl::unexpected(features.error());
    const auto score = state.Classify(*features, &found);
    if (!score) return tl::unexpected(score.error());
    scores.push_back(*score);
  }
  return scores;
}

}  // namespace

Result<std::vector<Score>> ScoreByPart(std::unique_ptr<storage::Database> database, ModelIdentity identity,
                                       const PartOfLog& part) {
  const auto state = ModelState::Load(std::move(database), std::move(identity));
  if (!state) return tl::unexpected(state.error());
  RebuildOnly policy(**state, part.taught);
  (*state)->StartOver((*state)->identity.learner, (*state)->identity.rehearsal, kTaughtLabels);
  if (auto taught = LogApplier(**state, policy).ApplyLog(nullptr); !taught)
    return tl::unexpected(taught.error());
  return ScoreEach(**state, part.scored);
}

Result<std::vector<Score>> ScoreLogged(std::unique_ptr<storage::Database> database, ModelIdentity identity,
                                       std::span<const uint64_t> scored) {
  const auto state = ModelState::Load(std::move(database), std::move(identity));
  if (!state) return tl::unexpected(state.error());
  return ScoreEach(**state, scored);
}

}  // namespace thresher::pipeline
