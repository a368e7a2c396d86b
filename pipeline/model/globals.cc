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

constexpr size_t PlaceOf(size_t in_calibration) {
  return offsetof(ModelGlobals::Facts, calibration) + in_calibration;
}
constexpr size_t kShareWrongPlace = PlaceOf(offsetof(learners::Calibration, share_wrong));

void Insert(double number, size_t place, std::vector<std::byte>* bytes) {
  const auto inserted = std::bit_cast<std::array<std::byte, sizeof number>>(number);
  bytes->insert(bytes->begin() + static_cast<std::ptrdiff_t>(place), inserted.begin(), inserted.end());
}

// Stores of format 2 have no trust. Their probabilities were those of σ(A·margin + B) alone.
std::vector<std::byte> WithTrust(std::span<const std::byte> stored) {
  constexpr double kFull = 1000;
  std::vector<std::byte> with_trust(stored.begin(), stored.end());
  Insert(kFull, PlaceOf(offsetof(learners::Calibration, trust)), &with_trust);
  return with_trust;
}

template <class Plain>
void Append(const Plain& plain, std::vector<std::byte>* bytes) {
  const auto appended = std::as_bytes(std::span(&plain, 1));
  bytes->insert(bytes->end(), appended.begin(), appended.end());
}

// The share of wrong labels, as stored: behind the rest, where stores before format 9 have none. What else
// globals end with is the mark only by a chance of 2^-64.
struct StoredShareWrong {
  double share_wrong = learners::Calibration().share_wrong;
  uint64_t mark = kMark;

  static constexpr uint64_t kMark = 0x6772'6f6e'6777'6c62;

  void TakeFromEnd(std::span<const std::byte>* stored) {
    StoredShareWrong last;
    if (stored->size() < sizeof last) return;
    std::memcpy(&last, stored->last(sizeof last).data(), sizeof last);
    if (last.mark != kMark) return;
    *this = last;
    *stored = stored->first(stored->size() - sizeof last);
  }
};

}  // namespace

bool ModelGlobals::Assign(std::span<const std::byte> stored) {
  const size_t size = bytes_.size() - sizeof(learners::Calibration::share_wrong);
  if (stored.size() + sizeof(learners::Calibration::trust) == size) return Assign(WithTrust(stored));
  if (stored.size() < size) return false;
  Contradictions contradictions;
  LastReply last_reply;
  StoredShareWrong wrong;
  auto rest = stored.subspan(size);
  if (!last_reply.TakeFromEnd(&rest)) return false;
  wrong.TakeFromEnd(&rest);
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
  bytes_.assign(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size));
  Insert(wrong.share_wrong, kShareWrongPlace, &bytes_);
  return true;
}

std::vector<std::byte> ModelGlobals::Stored() const {
  std::vector<std::byte> stored = bytes_;
  const auto place = stored.begin() + kShareWrongPlace;
  stored.erase(place, place + sizeof(learners::Calibration::share_wrong));
  rehearsal_.AppendTo(&stored);
  if (contradictions_.examples > 0) Append(contradictions_, &stored);
  const StoredShareWrong wrong{.share_wrong = facts().calibration.share_wrong};
  if (wrong.share_wrong != StoredShareWrong().share_wrong) Append(wrong, &stored);
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
  return {margin, globals.facts().Probability(margin, globals.rehearses())};
}

}  // namespace thresher::pipeline
