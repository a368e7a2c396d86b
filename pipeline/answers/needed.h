// What a model must still be taught before it can tell anything, and whether it doubts what it was taught, in
// words.
//
// Used by `learn`, `stats`, `explain`, `vocab` and the daemon, whose page and clients show the same sentence.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/model/inspection.h"
#include "pipeline/model/taught.h"

namespace thresher::pipeline {

// "every verdict is Unsure until 10 more ham and 3 more spam messages are taught"; empty if nothing is
// needed.
std::string NeededText(const TaughtCounts& taught);

// The same from what a daemon counts (GET /counts); empty if it is an older one, which does not say it.
std::string NeededTextOf(const nlohmann::json& counts);

// "the model contradicts 62 of the last 100 examples: …"; empty if they are not doubtful.
std::string DoubtText(const RecentExamples& recent);

// {"ham": 10, "spam": 3, "text": NeededText}
nlohmann::ordered_json NeededJson(const TaughtCounts& taught);

}  // namespace thresher::pipeline
