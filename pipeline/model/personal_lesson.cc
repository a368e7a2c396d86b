#include "pipeline/model/personal_lesson.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using learners::Occasion;
using tokenizer::Features;
using tokenizer::IsTokenOfUser;

constexpr double kMostContradicted = 1.7;  // P of learners/ftrl/step_length.h is .94
constexpr uint64_t kFewUpdates = 8;
constexpr uint64_t kCommonest = 16;  // a sixteenth
constexpr size_t kRarest = 8;        // an eighth

// Each feature of the user's own beside the same one of all mail.
std::vector<WeightUpdates::RatePair> OwnFeaturesOf(const Features& features) {
  std::vector<WeightUpdates::RatePair> own;
  std::unordered_map<std::string_view, size_t> of_all;
  for (size_t i = 0; i < features.size(); ++i) {
    const std::string_view text = features.Text(i);
    if (!IsTokenOfUser(text)) {
      if (!text.empty()) of_all.emplace(text, i);
    } else if (const auto same = of_all.find(tokenizer::WithoutUser(text)); same != of_all.end()) {
      own.push_back({.feature = i, .source = same->second});
    }
  }
  return own;
}

// How many updates it had.
uint64_t UpdatesOf(const std::byte* row, const ModelState& state) {
  if (row == nullptr || !state.IsLive(row)) return 0;
  const learners::Counts counts = learners::Learner::CountsOf(row);
  return uint64_t{counts.ham} + counts.spam;
}

// The margin that rare own features learn a reply with.
double OwnMargin(double margin, Label label) {
  return label == Label::kSpam ? std::max(margin, -kMostContradicted) : std::min(margin, kMostContradicted);
}

// How often the mail of others has updated each own feature. What taught this user's own feature taught that
// of all mail, too, and says nothing about the mail of others.
std::vector<uint64_t> UpdatesByOthers(const std::vector<WeightUpdates::RatePair>& own,
                                      const storage::FoundRows& found, const ModelState& state) {
  std::vector<uint64_t> by_others;
  for (const auto& [feature, of_all] : own) {
    const uint64_t all = UpdatesOf(found.rows()[of_all], state);
    by_others.push_back(all - std::min(all, UpdatesOf(found.rows()[feature], state)));
  }
  return by_others;
}

// Two steps: of all features but the rare own ones, and of these. The second goes (nearly) as far as it must
// from the margin before both: the examples that are rehearsed after them take back a part of the first.
Result<StepResult> LearnReply(const Features& features, const std::vector<bool>& rare, Label label,
                              double margin, double enough, WeightUpdates& weights) {
  const auto learn = [&](bool is_rare, double its_margin, Occasion occasion) {
    Features part = features;
    part.KeepIf([&](size_t i) { return rare[i] == is_rare; });
    return weights.LearnAs(part, label, its_margin, occasion);
  };
  auto ordinary = learn(false, margin, Occasion::Again(enough));
  if (!ordinary) return ordinary;
  if (std::ranges::find(rare, true) == rare.end())
    return StepResult{.updated = ordinary->updated, .as_mistake = true};
  const double own_margin = OwnMargin(margin, label);
  auto rest = learn(true, own_margin, Occasion::Mistake(enough + std::abs(own_margin - margin)));
  if (!rest) return rest;
  return StepResult{
      .updated = ordinary->updated || rest->updated, .excess = rest->excess, .as_mistake = true};
}

// Of so many features of a message those that are own and rare.
std::vector<bool> RareOf(size_t features, const std::vector<WeightUpdates::RatePair>& own,
                         const std::vector<uint64_t>& by_others) {
  std::vector<bool> rare(features);
  if (own.empty()) return rare;
  std::vector<uint64_t> sorted = by_others;
  std::ranges::sort(sorted);
  const uint64_t few = std::min(kFewUpdates, sorted.back() / kCommonest);
  const uint64_t most = std::max(few, sorted[(sorted.size() - 1) / kRarest]);
  for (size_t i = 0; i < own.size(); ++i) rare[own[i].feature] = by_others[i] <= most;
  return rare;
}

// Whether an example can be learned as a reply though no verdict is known, if the model knows the mail of
// others.
bool CanBeReply(const Teaching& teaching, double margin, const ModelGlobals& globals) {
  const RehearsalMemory& memory = globals.rehearsal();
  return teaching.evidence == Evidence::kArchive && Contradicts(margin, teaching.label) &&
         globals.facts().taught.KnowsBoth() &&
         memory.waiting(Label::kHam) + memory.waiting(Label::kSpam) == 0;
}

bool KnowsOthers(const std::vector<uint64_t>& by_others) {
  return !by_others.empty() && std::ranges::max(by_others) > kFewUpdates;
}

Result<StepResult> LearnPersonal(const Features& features, const Teaching& teaching, double margin,
                                 Occasion planned, WeightUpdates& weights) {
  const ModelState& state = weights.state();
  Occasion occasion = planned;
  std::vector<WeightUpdates::RatePair> own = OwnFeaturesOf(features);
  std::vector<bool> rare(features.size());
  if (planned.IsMistake() || CanBeReply(teaching, margin, state.globals)) {
    storage::FoundRows found;  // those that the caller found may lack rows without a weight
    if (auto done = weights.Find(features, &found); !done) return tl::unexpected(done.error());
    const std::vector<uint64_t> by_others = UpdatesByOthers(own, found, state);
    if (!planned.IsMistake() && KnowsOthers(by_others))
      occasion = Occasion::Mistake(state.globals.facts().taught.EnoughMargin());
    if (occasion.IsMistake()) rare = RareOf(features.size(), own, by_others);
  }
  if (!weights.learner().WouldUpdate(margin, teaching.label))
    return StepResult{.as_mistake = occasion.IsMistake()};
  std::erase_if(own, [&](const WeightUpdates::RatePair& pair) { return rare[pair.feature]; });
  if (auto given = weights.GiveRates(features, own); !given) return tl::unexpected(given.error());
  if (occasion.IsMistake())
    return LearnReply(features, rare, teaching.label, margin, occasion.enough(), weights);
  return weights.LearnAs(features, teaching.label, margin, occasion);
}

}  // namespace

bool HasOwnPart(const Features& features) {
  for (size_t i = features.size(); i-- > 0;) {  // they come last
    if (IsTokenOfUser(features.Text(i))) return true;
  }
  return false;
}

std::vector<bool> RareOwnFeatures(const Features& features, const storage::FoundRows& found,
                                  const ModelState& state) {
  const std::vector<WeightUpdates::RatePair> own = OwnFeaturesOf(features);
  return RareOf(features.size(), own, UpdatesByOthers(own, found, state));
}

Result<StepResult> LearnExample(const Features& features, storage::FoundRows& found, const Teaching& teaching,
                                double margin, Occasion planned, WeightUpdates& weights) {
  const bool is_personal = teaching.evidence != Evidence::kStream && HasOwnPart(features);
  return is_personal ? LearnPersonal(features, teaching, margin, planned, weights)
                     : weights.Learn(features, found, teaching.label, margin, planned);
}

}  // namespace thresher::pipeline
