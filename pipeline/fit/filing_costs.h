// What it costs to file a message of one folder into another, read from a file.
//
//   10<TAB>*<TAB>Junk        COST, FOLDER, INTO; * is any folder; a later line overrides an earlier one
//   # a comment
//
// Called by `thresher fit --folders --costs`. Thread-safety: a pure function but for reading the file.
#pragma once

#include <string>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

// costs[folder·n + into] for the n folders: 1 where no line says otherwise, 0 for into = folder. The error
// (kData) names file and line: a name that is no folder, a folder into itself, a cost that is not a number
// from 0 to 1e6.
Result<std::vector<double>> ReadFilingCosts(const std::string& path, const std::vector<std::string>& folders);

}  // namespace thresher::pipeline
