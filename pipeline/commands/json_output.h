// How commands print JSON: the one place, so that no text of a message reaches the terminal as it is.
//
// Called by the commands with --json. Thread-safety: one thread.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

#include "pipeline/answers/json_text.h"

namespace thresher::pipeline {

// Prints JsonText.
void WriteJson(const nlohmann::ordered_json& json, int indent = 2, std::FILE* to = stdout);

}  // namespace thresher::pipeline
