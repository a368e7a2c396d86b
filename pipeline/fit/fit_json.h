// A point of a fit as JSON.
//
// Called by commands/fit_report.cc and distributed/distributed_report.cc. Thread-safety: a pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "learners/batch/solver.h"

namespace thresher::pipeline {

// `seconds`: of the solver's steps so far, in this run.
nlohmann::ordered_json PointJson(const learners::batch::Progress& at, double seconds);

}  // namespace thresher::pipeline
