// JSON as text that may be shown: no text of a message reaches a terminal as it is.
//
// Used by commands with --json and by the daemon, whose answers people look at with curl. Thread-safety: pure
// functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace thresher::pipeline {

inline constexpr int kOneLine = -1;

// `json` and a line end. Bytes that are not UTF-8 become U+FFFD; characters that a terminal must not be given
// (pipeline/terminal/character.h) are written as \uXXXX, which means the same.
std::string JsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace thresher::pipeline
