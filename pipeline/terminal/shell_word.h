// A text as one word of a shell's command line.
//
// Called where a command is printed for the user to copy. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// Unchanged if that is safe, else in quotes; characters that are not (character.h) as bash, zsh and ksh write
// them ($'\x1b').
std::string ShellWord(std::string_view text);

}  // namespace thresher::pipeline
