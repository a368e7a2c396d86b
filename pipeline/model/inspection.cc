#include "pipeline/model/inspection.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "pipeline/model/each_example.h"
#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

double BytesPer(uint64_t count, const storage::Database::Sizes& sizes) {
  const auto bytes = static_cast<double>(sizes.parts.at("weights") + sizes.parts.at("tokens"));
  return count == 0 ? 0 : bytes / static_cast<double>(count);
}

Result<Inspection> Inspection::Open(std::unique_ptr<storage::Database> database, ModelIdentity identity) {
  auto state = ModelState::Load(std::move(database), std::move(identity));
  if (!state) return tl::unexpected(state.error());
  return Inspection(*std::move(state));
}

Result<Score> Inspection::Classify(const tokenizer::Features& features) const {
  storage::FoundRows found;
  return Classify(features, &found);
}

Result<std::optional<storage::Example>> Inspection::ExampleOf(uint64_t seq) const {
  auto example = state_->log.Get(seq);
  if (!example) return StoreFailure(example.error());
  return *std::move(example);
}

Result<RecentExamples> Inspection::Recent(uint64_t most) const {
  const uint64_t last = state_->log.last_seq();
  RecentExamples recent;
  storage::FoundRows found;
  const auto judge = [&](const storage::Example& example) -> Result<bool> {
    if (storage::IsForgotten(example)) return true;
    const auto latest = state_->log.Find(example.message_id, example.digest);
    if (!latest) return StoreFailure(latest.error());
    if (*latest != example.seq) return true;
    const auto features = state_->Decode(example);
    if (!features) return tl::unexpected(features.error());
    const auto score = Classify(*features, &found);
    if (!score) return tl::unexpected(score.error());
    ++recent.examples;
    if (taught().CanTell() && Contradicts(score->margin, LabelOf(example))) ++recent.contradicted;
    return true;
  };
  const uint64_t after = last - std::min({last, most, RecentExamples::kMost});
  if (auto read = ForEachExample(state_->log, after, judge); !read) return tl::unexpected(read.error());
  return recent;
}

Result<ModelStatistics> Inspection::Statistics() const {
  if (auto loaded = state_->weights.LoadAll(); !loaded) return StoreFailure(loaded.error());
  const ModelGlobals::Facts& facts = state_->globals.facts();
  ModelStatistics statistics;
  state_->weights.ForEach([&](uint64_t, const std::byte* row) {
    const double magnitude = std::abs(learner().Weight(row, state_->globals.learner()));
    statistics.l1_norm += magnitude;
    statistics.nonzeros += magnitude > 0 ? 1 : 0;
    statistics.prunable_rows += state_->IsLive(row) ? 0 : 1;
    ++statistics.stored_rows;
  });
  statistics.features_seen = facts.features_seen.Estimate();
  statistics.ham = facts.taught.ham;
  statistics.spam = facts.taught.spam;
  statistics.log = log();
  statistics.calibration = facts.calibration;
  return statistics;
}

Result<storage::Database::Sizes> Inspection::Sizes() const {
  auto sizes = state_->database->ReadSizes();
  if (!sizes) return StoreFailure(sizes.error());
  return *std::move(sizes);
}

}  // namespace thresher::pipeline
