// Man pages: thresher(1), one for each command, and thresher.yaml(5) for the configuration.
//
// Called by `thresher reference`. They are made of the texts of `--help`, of the settings table and of the
// learners' options: nothing is described twice. Thread-safety: pure functions.
#pragma once

#include <string>

#include "pipeline/commands/program_text.h"

namespace thresher::pipeline {

std::string ProgramManual(const ProgramText& program);
std::string CommandManual(const CommandText& command);
std::string SettingsManual();

}  // namespace thresher::pipeline
