// How many of each class a model was taught, and in what order: a long run of one class is a risk to it.
//
// Part of the model's persisted globals. Changed by LogApplier; read by what depends on it, rehearsal before
// all. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "learners/learner.h"
#include "pipeline/model/evidence.h"

namespace thresher::pipeline {

// More than a model can ever be taught, so that no count of examples overflows. Import refuses more.
inline constexpr uint64_t kMostExamples = uint64_t{1} << 62;

struct TaughtCounts {
  uint64_t ham = 0;
  uint64_t spam = 0;
  int64_t run = 0;        // examples of one class in a row, up to the last: above 0 spam, below ham
  uint64_t streamed = 0;  // of these, those taught as kStream
  uint64_t answered = 0;  // and those taught as kReply or kSample, by somebody who answers verdicts
  // Of each class, those that were corrected to the other one. They stay in the counts above, which say what
  // was learned. Programs before format 12 did not count them.
  uint64_t ham_corrected = 0;
  uint64_t spam_corrected = 0;
  uint64_t kept = 0;  // those taught as kArchive; also since format 12

  void Add(Label label, Evidence evidence) {
    streamed += evidence == Evidence::kStream ? 1 : 0;
    answered += evidence == Evidence::kReply || evidence == Evidence::kSample ? 1 : 0;
    kept += evidence == Evidence::kArchive ? 1 : 0;
    const int64_t side = label == Label::kSpam ? 1 : -1;
    ++(side > 0 ? spam : ham);
    if (evidence == Evidence::kCorrection) ++(side > 0 ? ham_corrected : spam_corrected);
    run = run * side > 0 ? run + side : side;
  }

  uint64_t total() const { return ham + spam; }
  // Of this class, without what was corrected to the other one.
  uint64_t Known(Label label) const {
    const bool is_spam = label == Label::kSpam;
    const uint64_t taught = is_spam ? spam : ham;
    return taught - std::min(taught, is_spam ? spam_corrected : ham_corrected);
  }

  // Whether the run, and what was answered, kept and corrected, are no longer than what there was, and no
  // number is near its limit.
  bool IsSound() const {
    if (ham > kMostExamples || spam > kMostExamples) return false;
    const uint64_t of_class = run > 0 ? spam : ham;
    return run > std::numeric_limits<int64_t>::min() && static_cast<uint64_t>(std::abs(run)) <= of_class &&
           answered <= total() && kept <= total() && ham_corrected <= spam && spam_corrected <= ham;
  }

  // Whether so long a run can be chance, given what share its class had before: a mailbox with little spam
  // has long runs of ham, but mail sorted by class is no sample of what will come.
  bool CouldBeChance() const {
    const auto length = static_cast<double>(std::abs(run));
    if (length < kShortRun) return true;
    const auto before = static_cast<double>(run > 0 ? spam : ham) - length;
    const double share = (before + 1) / (static_cast<double>(ham + spam) - length + 2);
    return length * std::log(share) > std::log(kNoChance);
  }

  // Whether margins say anything about mail to come. After an archive of one class they do not: they put all
  // mail into that class. After a stream of one class they do: the stream goes on like that. A few messages
  // of a stream behind a larger archive are no such stream.
  bool CanTell() const { return streamed > kept || KnowsBoth(); }
  // Whether there is a sample of each class.
  bool KnowsBoth() const { return Known(Label::kHam) >= kFew && Known(Label::kSpam) >= kFew; }

  // How many more of this class it takes until margins can tell.
  uint64_t Needed(Label label) const {
    const uint64_t known = Known(label);
    return CanTell() || known >= kFew ? 0 : kFew - known;
  }

  // Whether at most one class is known.
  bool LacksAClass() const { return Known(Label::kHam) == 0 || Known(Label::kSpam) == 0; }

  // What margins are multiplied by before they become probabilities.
  double MarginFactor() const;
  // Occasion::enough of a reply: docs/learning-measured.md#shortest. Who only answers verdicts teaches few
  // messages, so each must say much. REQUIRES: total() > 0
  double EnoughMargin() const { return std::lerp(kEnoughAfterMuch, kEnoughAfterAnswers, ShareAnswered()); }
  // How much less the learned map of margins is trusted (Calibration::Share), in nats: what was kept, and
  // answers to verdicts, are no sample of mail to come.
  double DoubtInMap() const { return streamed > 0 ? 0 : kDoubt; }

  // Whether the last example is fair evidence of what margins mean.
  bool IsFair(Evidence evidence) const {
    if (evidence == Evidence::kArchive || evidence == Evidence::kSample) return CouldBeChance();
    return evidence == Evidence::kStream;
  }

  // What the last example is to the learner. Only a sample of mail tests the weights. While there is
  // no sample of each class, no verdict can have been a mistake, and a reply is none.
  learners::Occasion OccasionOf(Evidence evidence) const {
    if (evidence == Evidence::kReply && KnowsBoth()) return learners::Occasion::Mistake(EnoughMargin());
    return IsFair(evidence) ? learners::Occasion::kNew : learners::Occasion::kAgain;
  }

  // REQUIRES: total() > 0
  double ShareAnswered() const { return static_cast<double>(answered) / static_cast<double>(total()); }

  static constexpr double kEnoughAfterMuch = 8;
  static constexpr double kEnoughAfterAnswers = 30;
  static constexpr double kShortRun = 10;
  static constexpr double kNoChance = 1e-3;
  static constexpr double kDoubt = 3;
  static constexpr uint64_t kFew = 10;
};

}  // namespace thresher::pipeline
