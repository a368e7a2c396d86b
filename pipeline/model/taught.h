// How many of each class a model was taught, and in what order: a long run of one class is a risk to it.
//
// Part of the model's persisted globals. Changed by LogApplier; read by what depends on it, rehearsal before
// all. Thread-safety: a plain value.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "learners/learner.h"

namespace thresher::pipeline {

using learners::Label;

constexpr std::string_view NameOf(Label label) { return label == Label::kSpam ? "spam" : "ham"; }
constexpr Label OtherClass(Label label) { return label == Label::kSpam ? Label::kHam : Label::kSpam; }
// Whether a margin, or a part of it, speaks for the other class.
constexpr bool Contradicts(double margin, Label label) { return margin * static_cast<double>(label) < 0; }

// Why an example is taught. Persisted.
enum class Evidence : uint8_t {
  kStream = 0,      // it came in with the rest: order and share of its class are those of mail to come
  kArchive = 1,     // it was kept, perhaps sorted by class
  kReply = 2,       // somebody disagreed with the verdict it got: mistakes are no sample of mail
  kCorrection = 3,  // it had been taught under the other label
  kSelf = 4,        // nobody said so but the model itself
  kSample = 5,      // it came in with the rest, and was taught so that the model knows both classes
};

// corrects: it was taught under the other label. self_taught: no user taught it. is_reply: it is taught
// because of its verdict.
constexpr Evidence EvidenceOf(bool corrects, bool self_taught, bool streamed, bool is_reply) {
  if (corrects) return Evidence::kCorrection;
  if (self_taught) return Evidence::kSelf;
  if (streamed) return Evidence::kStream;
  return is_reply ? Evidence::kReply : Evidence::kArchive;
}

// Why an example is taught where the one that it corrects is not: that one has expired, or is left out.
constexpr Evidence WithoutCorrected(Evidence evidence) {
  return evidence == Evidence::kCorrection ? Evidence::kReply : evidence;
}

// The turns of an example: how many examples of the other class that wait to be learned (rehearsal.h) follow
// it. One, unless an archive is taught whose size is known. Stored with the evidence.
constexpr uint8_t kMostTurns = 30;
constexpr uint8_t StoredEvidence(Evidence evidence, uint8_t turns) {
  const uint8_t high = evidence != Evidence::kArchive || turns == 1 ? 0 : static_cast<uint8_t>(turns + 1);
  return static_cast<uint8_t>(static_cast<uint8_t>(evidence) | high << 3);
}
constexpr Evidence EvidenceIn(uint8_t stored) { return static_cast<Evidence>(stored & 7); }
constexpr uint8_t TurnsIn(uint8_t stored) {
  return stored >> 3 == 0 ? 1 : static_cast<uint8_t>((stored >> 3) - 1);
}
constexpr bool IsSoundEvidence(uint8_t stored) {
  return EvidenceIn(stored) <= Evidence::kSample &&
         StoredEvidence(EvidenceIn(stored), TurnsIn(stored)) == stored;
}

// How an example is taught.
struct Teaching {
  Label label;
  Evidence evidence;
  uint8_t turns = 1;
};

// More than a model can ever be taught, so that no count of examples overflows. Import refuses more.
inline constexpr uint64_t kMostExamples = uint64_t{1} << 62;

struct TaughtCounts {
  uint64_t ham = 0;
  uint64_t spam = 0;
  int64_t run = 0;        // examples of one class in a row, up to the last: above 0 spam, below ham
  uint64_t streamed = 0;  // of these, those taught as kStream
  uint64_t answered = 0;  // and those taught as kReply or kSample, by somebody who answers verdicts

  void Add(learners::Label label, Evidence evidence) {
    streamed += evidence == Evidence::kStream ? 1 : 0;
    answered += evidence == Evidence::kReply || evidence == Evidence::kSample ? 1 : 0;
    const int64_t side = label == learners::Label::kSpam ? 1 : -1;
    ++(side > 0 ? spam : ham);
    run = run * side > 0 ? run + side : side;
  }

  uint64_t total() const { return ham + spam; }

  // Whether the run, and what was answered, are no longer than what there was, and no number is near its
  // limit.
  bool IsSound() const {
    if (ham > kMostExamples || spam > kMostExamples) return false;
    const uint64_t of_class = run > 0 ? spam : ham;
    return run > std::numeric_limits<int64_t>::min() && static_cast<uint64_t>(std::abs(run)) <= of_class &&
           answered <= total();
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
  // mail into that class. After a stream of one class they do: the stream goes on like that.
  bool CanTell() const { return streamed > 0 || KnowsBoth(); }
  // Whether there is a sample of each class.
  bool KnowsBoth() const { return ham >= kFew && spam >= kFew; }

  // How many more of this class it takes until margins can tell.
  uint64_t Needed(learners::Label label) const {
    const uint64_t known = label == learners::Label::kSpam ? spam : ham;
    return CanTell() || known >= kFew ? 0 : kFew - known;
  }

  // Whether at most one class was taught.
  bool LacksAClass() const { return ham == 0 || spam == 0; }

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
