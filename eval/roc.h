// The ROC curve: how well the scores rank spam above ham, without a threshold.
//
// Called by reports, comparison and learning curves. Definitions and sources in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "eval/figures.h"
#include "eval/ranking.h"

namespace thresher::eval {

// How the intervals of the area and of differences are found.
enum class IntervalMethod {
  kDeLong,     // by variance: DeLong's of the area, on the logit scale
  kBootstrap,  // the middle 95 % of kResamples resamples
  kAuto,       // as the TREC track did: bootstrap, but above kMostBootstrapped messages by variance
};
inline constexpr uint64_t kMostBootstrapped = 1'000'000;

struct IntervalOptions {
  IntervalMethod method = IntervalMethod::kDeLong;  // covers better where errors are few
  uint64_t seed = 1;                                // of the bootstrap

  bool Bootstraps(uint64_t messages) const {
    return method == IntervalMethod::kBootstrap ||
           (method == IntervalMethod::kAuto && messages <= kMostBootstrapped);
  }
};

// Area above the ROC curve in percent: 100 · P(a spam stands below a ham). Exact. Nothing when a class is
// empty.
std::optional<double> RocAreaAbove(const Ranking& ranking);

// The area with its interval, and how that was found.
struct RocArea : Percentage {
  enum class By { kDeLong, kBootstrap, kClopperPearson };
  By interval_by = By::kDeLong;
};

// The same with its 95 % interval. Where neither method can say anything (no pair stands in the wrong order,
// or a class has a single message) it is Clopper–Pearson's, which is wider, of min(ham, spam)
// independent pairs.
std::optional<RocArea> RocAreaAbove(const Ranking& ranking, const IntervalOptions& options);

// The most of `ham` messages that are no more than ham_percent of them.
uint64_t HamAllowed(uint64_t ham, double ham_percent);

// The least spam misclassification (percent) over thresholds whose ham misclassification is at most
// ham_percent. REQUIRES: ranking has Ties::kHalf, for a threshold cannot part what is tied.
std::optional<double> SpamMisclassificationAt(const Ranking& ranking, double ham_percent);

}  // namespace thresher::eval
