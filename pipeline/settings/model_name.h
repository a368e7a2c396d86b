// What a model may be called. It is a folder in the store and has files beside it, which no other model may
// have the name of.
//
// Called by Settings, and by the daemon for the names that its clients give. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// No model may have this name: a folder with one of that name in it is a model itself.
inline constexpr std::string_view kDatabaseName = "db";

// What a file beside a model has behind the model's name: the daemon's socket, and the operations that wait
// for a shared log.
inline constexpr std::string_view kSocketEnd = ".socket";
inline constexpr std::string_view kOutboxEnd = ".outbox";
// In the place of such a file while it is made anew.
inline constexpr std::string_view kNextEnd = ".new";

bool IsModelName(std::string_view name);

// What IsModelName asks for, to follow on "a name of" or "Name of the model:".
std::string ModelNameRule();

}  // namespace thresher::pipeline
