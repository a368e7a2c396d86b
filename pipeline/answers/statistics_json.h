// A model's size and contents as JSON.
//
// Used by `stats` and the daemon. Thread-safety: that of the Inspection.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/model/inspection.h"

namespace thresher::pipeline {

// `where`: the model's directory.
nlohmann::ordered_json StatisticsJson(const std::string& where, const Inspection& model,
                                      const ModelStatistics& statistics, const RecentExamples& recent,
                                      const storage::Database::Sizes& sizes);

}  // namespace thresher::pipeline
