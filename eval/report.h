// Figures as text for a terminal and as JSON.
//
// Called by the pipeline's replay and eval commands. Thread-safety: pure functions.
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
  // Of those left in the inbox, the ones that the filter called unsure, where it says so.
  struct Unsure {
    uint64_t ham = 0;
    uint64_t spam = 0;
  };
  std::optional<Unsure> unsure = std::nullopt;
};

// The least sm% at which no more than hm_percent of the ham is lost.
struct OperatingPoint {
  double hm_percent;
  uint64_t ham_lost;  // at most: what hm_percent amounts to
  std::optional<double> sm_percent;
};

struct SummaryOptions {
  Ties ties = Ties::kHalf;  // in the area; thresholds never part what is tied
  IntervalOptions interval;
  std::optional<double> ham_cost;  // of a lost ham, in spams seen
};

struct Summary {
  SummaryOptions options;
  std::vector<NamedTable> tables;
  uint64_t messages = 0;
  uint64_t ham = 0;
  std::optional<Percentage> roc_area_above;
  std::vector<OperatingPoint> operating_points;
  std::optional<Threshold> cheapest;  // where there is a ham_cost
  std::optional<ProbabilityFigures> probabilities;

  // What a caller wants shown besides.
  std::vector<CurvePoint> curve;
  std::string grouped_by;  // "user"
  std::vector<GroupFigures> groups;
};

// Tables as given; the rest from scores and probabilities.
Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes,
                  const SummaryOptions& options = {});

// For people: aligned columns, figures with their intervals, and a plain statement for one that is not
// defined ("no spam in these results").
std::string FormatText(const Summary& summary);

// As in FormatText: the tables of parts alone.
std::string FormatCurve(std::span<const CurvePoint> curve);
std::string FormatGroups(std::string_view grouped_by, std::span<const GroupFigures> groups);

// Of the results named `first` and `second`.
std::string FormatText(const Comparison& comparison, std::string_view first, std::string_view second);

// One object, "schema": "thresher-summary/1"; undefined figures are null.
std::string FormatJson(const Summary& summary);

// The same for a comparison, "schema": "thresher-comparison/1".
std::string FormatJson(const Comparison& comparison, std::string_view first, std::string_view second);

}  // namespace thresher::eval
