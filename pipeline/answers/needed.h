// What a model must still be taught before it can tell anything, in words.
//
// Used by `learn`, `stats`, `explain` and the daemon. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/model/taught.h"

namespace thresher::pipeline {

// "until 10 ham and 3 spam more are taught, every verdict is Unsure"; empty if nothing is needed.
std::string NeededText(const TaughtCounts& taught);
std::string NeededText(uint64_t ham, uint64_t spam);

// {"ham": 10, "spam": 3}
nlohmann::ordered_json NeededJson(const TaughtCounts& taught);

}  // namespace thresher::pipeline
