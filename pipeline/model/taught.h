// How many of each class a model was taught, and in what order: a long run of one class is a risk to it.
//
// Part of the model's persisted globals. Thread-safety: a plain value.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "learners/learner.h"

namespace thresher::pipeline {

using learners::Label;

// Why an example is taught. Persisted.
enum class Evidence : uint8_t {
  kStream = 0,      // it came in with the rest: order and share of its class are those of mail to come
  kArchive = 1,     // it was kept, perhaps sorted by class
  kReply = 2,       // somebody disagreed with the verdict it got: mistakes are no sample of mail
  kCorrection = 3,  // it had been taught under the other label
};

struct TaughtCounts {
  uint64_t ham = 0;
  uint64_t spam = 0;
  int64_t run = 0;        // examples of one class in a row, up to the last: above 0 spam, below ham
  uint64_t streamed = 0;  // of these, those taught as kStream

  void Add(learners::Label label, Evidence evidence) {
    streamed += evidence == Evidence::kStream ? 1 : 0;
    const int64_t side = label == learners::Label::kSpam ? 1 : -1;
    ++(side > 0 ? spam : ham);
    run = run * side > 0 ? run + side : side;
  }

  // Whether the run is no longer than what there was.
  bool IsSound() const {
    const uint64_t of_class = run > 0 ? spam : ham;
    return run > std::numeric_limits<int64_t>::min() && static_cast<uint64_t>(std::abs(run)) <= of_class;
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
  bool CanTell() const { return streamed > 0 || (ham >= kFew && spam >= kFew); }

  // Whether the last example is fair evidence of what margins mean.
  bool IsFair(Evidence evidence) const {
    return evidence == Evidence::kStream || (evidence == Evidence::kArchive && CouldBeChance());
  }

  // What the last example is to the learner. Only a sample of mail tests the weights.
  learners::Occasion OccasionOf(Evidence evidence) const {
    if (evidence == Evidence::kReply) return learners::Occasion::kMistake;
    return IsFair(evidence) ? learners::Occasion::kNew : learners::Occasion::kAgain;
  }

  static constexpr double kShortRun = 10;
  static constexpr double kNoChance = 1e-3;
  static constexpr uint64_t kFew = 10;
};

}  // namespace thresher::pipeline
