// What a command line that CLI11 holds says about itself: as plain values, and as the text of `--help`.
//
// Used by command_line.cc alone. Thread-safety: pure functions.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "pipeline/commands/program_text.h"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
class FormatterBase;
class Option;
}  // namespace CLI

namespace thresher::pipeline {

// What the values of flags must be, in words. CLI11 knows only the short form that stands in the help.
using ExpectedValues = std::map<const CLI::Option*, std::string>;

FlagText DescribeFlag(const CLI::Option& option, const ExpectedValues& expected = {});
CommandText DescribeCommand(const CLI::App& app, const ExpectedValues& expected = {});

// Writes the help. The flags that must be given come first in its line "Usage:".
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();

}  // namespace thresher::pipeline
