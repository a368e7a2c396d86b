// The figures of one filter, put together, and as text for a terminal.
//
// Called by the commands replay, grid, jig and eval. report_json.h has them as JSON. Thread-safety: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/comparison.h"
#include "eval/cost.h"
#include "eval/figures.h"
#include "eval/learning_curve.h"
#include "eval/probability_figures.h"
#include "eval/ranking.h"
#include "eval/roc.h"

namespace thresher::eval {

// Verdicts at one threshold, with a name such as "spam if p ≥ 0.97".
struct NamedTable {
  std::string name;
  ContingencyTable table;
  // The messages left in the inbox that the filter called unsure; nothing if unknown.
  struct Unsure {
    uint64_t ham = 0;
    uint64_t spam = 0;
  };
  std::optional<Unsure> unsure = std::nullopt;
};

// The least sm% at which no more than hm_percent of the ham is lost.
struct OperatingPoint {
  double hm_percent;
  uint64_t ham_lost;  // the number of messages that hm_percent allows
  std::optional<double> sm_percent;
};

struct SummaryOptions {
  Ties ties = Ties::kHalf;  // of the area; thresholds never separate tied messages
  IntervalOptions interval;
  std::optional<double> ham_cost;  // of a lost ham, in spams in the inbox
};

struct Summary {
  SummaryOptions options;
  std::vector<NamedTable> tables;
  uint64_t messages = 0;
  uint64_t ham = 0;
  std::optional<RocArea> roc_area_above;
  std::vector<OperatingPoint> operating_points;
  std::optional<Threshold> cheapest;  // if there is a ham_cost
  std::optional<ProbabilityFigures> probabilities;

  // Filled by the caller if wanted.
  std::vector<CurvePoint> curve;
  std::string grouped_by;  // "user"
  std::vector<GroupFigures> groups;
};

// `tables` are taken over; the other figures are computed from scores and probabilities.
Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes,
                  const SummaryOptions& options = {});

// Four decimal places; "-" if the figure is undefined.
std::string OrDash(const std::optional<double>& figure);

// Aligned columns and figures with their intervals. An undefined figure is a sentence ("no spam in these
// results").
std::string FormatText(const Summary& summary);

// The tables of parts in FormatText, without the rest.
std::string FormatCurve(std::span<const CurvePoint> curve);
std::string FormatGroups(std::string_view grouped_by, std::span<const GroupFigures> groups);

// `first` and `second` name the two result files.
std::string FormatText(const Comparison& comparison, std::string_view first, std::string_view second);

}  // namespace thresher::eval
