// Figures over time, and by user or genre: where in a stream, and on whose mail, a filter errs.
//
// Called by reports and by the pipeline's replay command. Definitions in docs/evaluation.md.
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

// Of some of the messages.
struct PartFigures {
  ContingencyTable table;
  std::optional<double> roc_area_above;  // percent
  std::optional<double> log_loss;        // nats; nothing where no message has a probability

  uint64_t messages() const { return table.ham() + table.spam(); }
};

struct CurvePoint {
  uint64_t messages = 0;  // of the stream until here
  PartFigures window;     // the last ones before here
  PartFigures so_far;     // all of them
};

// A point at each of `ends`, which ascend. Windows hold `window` messages (fewer at the beginning); 0: those
// since the point before. Exact, O(n log n).
std::vector<CurvePoint> LearningCurve(std::span<const Outcome> outcomes, std::span<const uint64_t> ends,
                                      uint64_t window, Ties ties = Ties::kHalf);

// The ends of `points` stretches of a stream, as even as can be; fewer if there are fewer messages.
std::vector<uint64_t> EvenEnds(uint64_t messages, uint64_t points);

struct GroupFigures {
  std::string name;  // empty: the messages without one
  PartFigures figures;
};

// The figures of each word's messages, those with the most messages first.
// REQUIRES: words is as long as outcomes, or empty.
std::vector<GroupFigures> FiguresBy(const WordColumn& words, std::span<const Outcome> outcomes,
                                    Ties ties = Ties::kHalf);

}  // namespace thresher::eval
