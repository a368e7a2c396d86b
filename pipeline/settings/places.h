// Where configuration and store are by default: the XDG base directories.
//
// Used inside this folder only. Thread-safety: reads the environment; call while nobody changes it.
#pragma once

#include <string>
#include <vector>

namespace thresher::pipeline {

// $HOME, else the user's in the password database.
std::string HomeFolder();

// Where a configuration is looked for, the first there is wins.
std::vector<std::string> ConfigurationFiles();

}  // namespace thresher::pipeline
