// Completions of the command line for shells: commands, flags, and the words that a flag or an argument
// takes.
//
// Called by `thresher reference`, which writes them, from the texts of `--help`. Where a value is none of
// some words, the shell completes names of files. Thread-safety: pure functions.
#pragma once

#include <string>

#include "pipeline/commands/program_text.h"

namespace thresher::pipeline {

std::string BashCompletion(const ProgramText& program);
std::string ZshCompletion(const ProgramText& program);
std::string FishCompletion(const ProgramText& program);

}  // namespace thresher::pipeline
