// Combines the scores of several filters on one stream, as in the fusion studies of the TREC spam track:
// filters that err on different messages are better together than the best of them alone.
//
// Called by the fuse command. Each filter's score becomes log-odds of spam: those of its probability, if it
// gives one, otherwise those of a logistic calibration learned along the stream. Thread-safety: one thread at
// a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/outcome.h"
#include "learners/loss/calibration.h"

namespace thresher::pipeline {

enum class FusionMethod {
  kAverage,   // the mean of the log-odds
  kStacking,  // logistic regression on them, learned online
};

class Fusion {
 public:
  // REQUIRES: filters > 0.
  Fusion(size_t filters, FusionMethod method);

  // The outcome of the next message, from the outcome of each filter: the score is the log-odds, the verdict
  // is spam if their probability is at least ½. Learns the judgement afterwards. REQUIRES: one outcome per
  // filter, all with the same judgement.
  eval::Outcome Fuse(std::span<const eval::Outcome> said);

 private:
  std::vector<double> LogOdds(std::span<const eval::Outcome> said) const;
  void Learn(std::span<const double> log_odds, double probability, bool is_spam);

  FusionMethod method_;
  std::vector<learners::Calibration> calibrations_;  // one per filter
  std::vector<double> weights_;                      // one per filter, and the intercept
  std::vector<double> squares_;                      // sum of squared gradients, for each weight
};

}  // namespace thresher::pipeline
