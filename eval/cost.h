// What a filter costs its reader, where a lost ham costs as much as several spams seen.
//
// Called by reports. Definitions in docs/evaluation.md. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "eval/figures.h"
#include "eval/ranking.h"

namespace thresher::eval {

// Mean cost of a message where a ham called spam costs `ham_cost` and a spam called ham 1. Nothing without
// messages.
std::optional<double> ExpectedCost(const ContingencyTable& table, double ham_cost);

// Calling spam what scores at least `score`.
struct Threshold {
  std::optional<double> score;  // none: calling nothing spam
  ContingencyTable table;
};

// The threshold of least expected cost; of equals the highest, which loses the least ham.
// REQUIRES: ranking has Ties::kHalf, for a threshold cannot part what is tied.
Threshold CheapestThreshold(const Ranking& ranking, double ham_cost);

}  // namespace thresher::eval
