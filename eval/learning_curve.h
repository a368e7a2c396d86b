// Figures over time, and by user or genre.
//
// Called by reports and by the commands replay and eval. Definitions in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/figures.h"
#include "eval/outcome.h"
#include "eval/ranking.h"

namespace thresher::eval {

// The figures of a part of the messages.
struct PartFigures {
  ContingencyTable table;
  std::optional<double> roc_area_above;  // percent
  std::optional<double> log_loss;        // nats; nothing if no message has a probability

  uint64_t messages() const { return table.ham() + table.spam(); }
};

struct CurvePoint {
  uint64_t messages = 0;  // of the stream until this point
  PartFigures window;     // the last messages before this point
  PartFigures so_far;     // all messages before this point
};

// One point after each of `ends` messages, which ascend. A window has `window` messages, fewer at the
// beginning; 0 stands for the messages since the previous point. Exact, O(n log n).
std::vector<CurvePoint> LearningCurve(std::span<const Outcome> outcomes, std::span<const uint64_t> ends,
                                      uint64_t window, Ties ties = Ties::kHalf);

// The ends of `points` parts of a stream, of equal length up to rounding; fewer if there are fewer messages.
std::vector<uint64_t> EvenEnds(uint64_t messages, uint64_t points);

struct GroupFigures {
  std::string name;  // empty: the messages without a word
  PartFigures figures;
};

// The figures of the messages of each word, those with the most messages first.
// REQUIRES: words is as long as outcomes, or empty.
std::vector<GroupFigures> FiguresBy(const WordColumn& words, std::span<const Outcome> outcomes,
                                    Ties ties = Ties::kHalf);

}  // namespace thresher::eval
