// The default paths of configuration and store, by the XDG base directories.
//
// Used inside this folder only. Thread-safety: reads the environment; call it while no thread changes that.
#pragma once

#include <string>
#include <vector>

namespace thresher::pipeline {

// $HOME, or else the user's home in the password database.
std::string HomeFolder();

// Where to look for a configuration; the first file that exists is used.
std::vector<std::string> ConfigurationFiles();

}  // namespace thresher::pipeline
