// The expected cost of a filter to its user, if one lost ham costs as much as several spams in the inbox.
//
// Called by reports. Definitions in docs/evaluation.md. Thread-safety: pure functions.
#pragma once

#include <optional>

#include "eval/figures.h"
#include "eval/ranking.h"

namespace thresher::eval {

// The mean cost of a message if a ham called spam costs `ham_cost` and a spam called ham 1. Nothing if there
// are no messages.
std::optional<double> ExpectedCost(const ContingencyTable& table, double ham_cost);

// Calls spam every message with at least `score`.
struct Threshold {
  std::optional<double> score;  // nothing: calls nothing spam
  ContingencyTable table;
};

// The threshold with the least expected cost; of several, the highest, which loses the least ham.
// REQUIRES: ranking has Ties::kHalf, because no threshold separates tied messages.
Threshold CheapestThreshold(const Ranking& ranking, double ham_cost);

}  // namespace thresher::eval
