// Values as CLI11 is given them: each with a mark in front.
//
// CLI11 takes some values for more than they are: "[a,b]" for two where a flag takes many, "++" for the end
// of the command, "--flag=" for a flag whose value is the next word. Words without a mark begin with '-'.
// Called by CommandLine. Thread-safety: pure functions, but for UnmarkValuesOf, which changes `app`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace thresher::pipeline {

// A word without its mark, if it has one.
std::string Unmarked(const std::string& word);

// The words, of which the first names the command, with each value marked. What follows "--" are values. It
// is left out, since CLI11 takes it for the end of the command, unless it ends the values of a flag that
// takes many.
std::vector<std::string> MarkValues(const CLI::App& command, const std::vector<std::string>& words);

// The checks of an option's values get them without the mark, and so does its variable. Of all groups of
// `app`, too.
void UnmarkValuesOf(CLI::App& app);

}  // namespace thresher::pipeline
