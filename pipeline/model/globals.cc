#include "pipeline/model/globals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>

namespace thresher::pipeline {

ModelGlobals::ModelGlobals(const learners::Learner& model_learner)
    : bytes_(sizeof(Facts) + model_learner.GlobalsBytes()) {
  new (bytes_.data()) Facts;
  model_learner.InitGlobals(learner());
}

namespace {

// Stores of format 2 have no trust. Their probabilities were those of σ(A·margin + B) alone.
std::vector<std::byte> WithTrust(std::span<const std::byte> stored) {
  constexpr double kFull = 1000;
  constexpr size_t kPlace =
      offsetof(ModelGlobals::Facts, calibration) + offsetof(learners::Calibration, trust);
  std::vector<std::byte> with_trust(stored.begin(), stored.end());
  const auto trust = std::bit_cast<std::array<std::byte, sizeof(double)>>(kFull);
  with_trust.insert(with_trust.begin() + kPlace, trust.begin(), trust.end());
  return with_trust;
}

}  // namespace

bool ModelGlobals::Assign(std::span<const std::byte> stored) {
  if (stored.size() + sizeof(learners::Calibration::trust) == bytes_.size()) return Assign(WithTrust(stored));
  if (stored.size() < bytes_.size()) return false;
  Contradictions contradictions;
  LastReply last_reply;
  auto rest = stored.subspan(bytes_.size());
  if (!last_reply.TakeFromEnd(&rest)) return false;
  // The sizes that a memory begins with say where it ends, so that only one of the two forms can be read.
  if (!rehearsal_.Assign(rest)) {
    if (rest.size() < sizeof contradictions) return false;
    const auto last = rest.last(sizeof contradictions);
    std::memcpy(&contradictions, last.data(), last.size());
    if (contradictions.examples == 0 || !contradictions.IsSound() ||
        !rehearsal_.Assign(rest.first(rest.size() - last.size())))
      return false;
  }
  contradictions_ = contradictions;
  last_reply_ = last_reply;
  std::ranges::copy(stored.first(bytes_.size()), bytes_.begin());
  return true;
}

std::vector<std::byte> ModelGlobals::Stored() const {
  std::vector<std::byte> stored = bytes_;
  rehearsal_.AppendTo(&stored);
  if (contradictions_.examples > 0) {
    const auto last = std::as_bytes(std::span(&contradictions_, 1));
    stored.insert(stored.end(), last.begin(), last.end());
  }
  last_reply_.AppendTo(&stored);
  return stored;
}

bool ModelGlobals::AreSound(const learners::Learner& model_learner) const {
  return facts().calibration.IsSound() && facts().taught.IsSound() && facts().keep.IsSound() &&
         model_learner.AreGlobalsSound(learner());
}

ModelGlobals::Facts& ModelGlobals::facts() { return *std::launder(reinterpret_cast<Facts*>(bytes_.data())); }

const ModelGlobals::Facts& ModelGlobals::facts() const {
  return *std::launder(reinterpret_cast<const Facts*>(bytes_.data()));
}

Score ScoreOf(const learners::Learner& learner, const learners::SparseVector& x,
              std::span<const std::byte* const> rows, const ModelGlobals& globals) {
  const double margin = learner.Score(x, rows, globals.learner());
  return {margin, globals.facts().Probability(margin, !globals.rehearsal().empty())};
}

}  // namespace thresher::pipeline
