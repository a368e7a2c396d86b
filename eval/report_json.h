// Figures as JSON values.
//
// Called by the commands replay, grid, jig and eval, which print them, and by html_report. An undefined
// figure is null. docs/evaluation.md describes the fields. Thread-safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "eval/report.h"

namespace thresher::eval {

// Null if the figure is undefined.
nlohmann::ordered_json OrNull(const std::optional<double>& figure);

// "schema": "thresher-summary/1".
nlohmann::ordered_json ToJson(const Summary& summary);

// "schema": "thresher-comparison/1". `first` and `second` name the two result files.
nlohmann::ordered_json ToJson(const Comparison& comparison, std::string_view first, std::string_view second);

}  // namespace thresher::eval
