// Several filters' scores of one stream joined into one, as in the fusion studies of the TREC spam track:
// filters that err on different messages are better together than the best of them.
//
// Called by the fuse command. Each filter's score becomes log-odds of spam: those of its probability, where
// it gives one, else of a logistic calibration learned along the stream. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/outcome.h"
#include "learners/calibration.h"

namespace thresher::pipeline {

enum class FusionMethod {
  kAverage,   // the mean of the log-odds
  kStacking,  // logistic regression on them, learned online
};

class Fusion {
 public:
  // REQUIRES: filters > 0.
  Fusion(size_t filters, FusionMethod method);

  // The outcome of the next message from what each filter said of it: log-odds as score, their probability,
  // called spam from ½ on. Only then is learned what it really was. REQUIRES: one per filter, all judged
  // alike.
  eval::Outcome Fuse(std::span<const eval::Outcome> said);

 private:
  std::vector<double> LogOdds(std::span<const eval::Outcome> said) const;
  void Learn(std::span<const double> log_odds, double probability, bool is_spam);

  FusionMethod method_;
  std::vector<learners::Calibration> calibrations_;  // one per filter
  std::vector<double> weights_;                      // one per filter, and the intercept
  std::vector<double> squares_;                      // of the gradients so far, for each weight
};

}  // namespace thresher::pipeline
