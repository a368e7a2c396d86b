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
#include "eval/figures.h"
#include "eval/probability_figures.h"

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

struct Summary {
  std::vector<NamedTable> tables;
  uint64_t messages = 0;
  uint64_t ham = 0;
  std::optional<Percentage> roc_area_above;
  std::vector<OperatingPoint> operating_points;
  std::optional<ProbabilityFigures> probabilities;
};

// Tables as given; the rest from scores and probabilities.
Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes);

// For people: aligned columns, figures with their intervals, and a plain statement for one that is not
// defined ("no spam in these results").
std::string FormatText(const Summary& summary);

// Of the results named `first` and `second`.
std::string FormatText(const Comparison& comparison, std::string_view first, std::string_view second);

// One object, "schema": "thresher-summary/1"; undefined figures are null.
std::string FormatJson(const Summary& summary);

// The same for a comparison, "schema": "thresher-comparison/1".
std::string FormatJson(const Comparison& comparison, std::string_view first, std::string_view second);

}  // namespace thresher::eval
