// The quality of probabilities: log-loss, Brier score and calibration.
//
// Called by reports. Definitions and sources in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

// The messages with a probability in one part of [0, 1].
struct ReliabilityBin {
  uint64_t messages = 0;
  double mean_probability = 0;
  double spam_share = 0;  // with its 95 % interval (Clopper–Pearson)
  double spam_share_low = 0;
  double spam_share_high = 0;
};

struct ProbabilityFigures {
  uint64_t messages = 0;         // those with a probability
  double log_loss = 0;           // mean of −ln(probability of the true class), in nats
  double brier = 0;              // mean of (probability − [is spam])²
  double calibration_error = 0;  // mean of |mean_probability − spam_share| over messages, by bins
  std::vector<ReliabilityBin> reliability;  // kReliabilityBins of equal width; empty ones have no messages
};

inline constexpr size_t kReliabilityBins = 20;

// −ln(probability of the true class), in nats; a probability of 0 counts as 1e-15.
// REQUIRES: the outcome has a probability.
double Loss(const Outcome& outcome);

// Nothing if no outcome has a probability.
std::optional<ProbabilityFigures> JudgeProbabilities(std::span<const Outcome> outcomes);

}  // namespace thresher::eval
