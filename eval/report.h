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

#include "eval/figures.h"

namespace thresher::eval {

// Verdicts at one threshold, with a name such as "spam if p ≥ 0.97".
struct NamedTable {
  std::string name;
  ContingencyTable table;
};

struct Summary {
  std::vector<NamedTable> tables;
  uint64_t messages = 0;
  std::optional<Percentage> roc_area_above;
  std::optional<double> sm_at_hm_01;  // sm% at hm% = .1
};

// Tables as given; the threshold-free figures from the scores.
Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes);

// For people: aligned columns, figures with their intervals, and a plain statement for one that is not
// defined
// ("no spam in these results").
std::string FormatText(const Summary& summary);

// One object, "schema": "thresher-summary/1"; undefined figures are null.
std::string FormatJson(const Summary& summary);

}  // namespace thresher::eval
