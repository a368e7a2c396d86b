// What a model must still be taught before it can tell anything, and whether it doubts what it was taught, in
// words.
//
// Used by `learn`, `stats`, `explain` and the daemon. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/model/inspection.h"
#include "pipeline/model/taught.h"

namespace thresher::pipeline {

// "until 10 ham and 3 spam more are taught, every verdict is Unsure"; empty if nothing is needed.
std::string NeededText(const TaughtCounts& taught);
std::string NeededText(uint64_t ham, uint64_t spam);

// "the model contradicts 62 of the last 100 examples: …"; empty if they are not doubtful.
std::string DoubtText(const RecentExamples& recent);

// {"ham": 10, "spam": 3}
nlohmann::ordered_json NeededJson(const TaughtCounts& taught);

}  // namespace thresher::pipeline
