// How commands print JSON: the one place, so that no text of a message reaches the terminal as it is.
//
// Called by the commands with --json. Thread-safety: one thread.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

namespace thresher::pipeline {

inline constexpr int kOneLine = -1;

// Prints `json` and a line end. Bytes that are not UTF-8 become U+FFFD; characters that a terminal must not
// be given (pipeline/terminal/character.h) are written as \uXXXX, which means the same.
void WriteJson(const nlohmann::ordered_json& json, int indent = 2, std::FILE* to = stdout);

}  // namespace thresher::pipeline
