// Paths of mail whose labels are given: some are named after --spam, others after --ham.
//
// Called by learn.cc and mailbox_results.cc. Thread-safety: functions without state, which look at files.
#pragma once

#include <string>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

// What is left out of a folder that is named after one label, if `paths` are named after the other: where
// they are, as InputReader takes it.
std::vector<std::string> PlacesOf(const std::vector<std::string>& paths);

// An error if one place is named after both labels (kUsage), or if there are paths of both and one is not
// there (kNoInput): without a folder of spam whose name is mistyped, its mail would be ham of the folder
// around it. Standard input, "-", is there.
Result<void> CheckLabelledPaths(const std::vector<std::string>& spam, const std::vector<std::string>& ham);

}  // namespace thresher::pipeline
