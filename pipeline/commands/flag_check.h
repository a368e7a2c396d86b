// What values a flag takes: checked by the schema, as settings and learners' options are.
//
// Called by the commands. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/option.h"

namespace thresher::pipeline {

struct FlagCheck {
  // What is wrong with `text`; empty if nothing is. Then a number is left in its canonical form.
  std::function<std::string(std::string& text)> mismatch;
  std::string range;          // as it stands in the help
  std::string expected = {};  // the same in words, for the man page; empty if nothing is to be said
};

FlagCheck Takes(const schema::OptionSpec& option);
FlagCheck WholeNumber(uint64_t most = UINT32_MAX, uint64_t least = 0);
FlagCheck Fraction(double most = 1);
FlagCheck OneOf(const std::vector<std::string_view>& words);
// Anything but '', which an unset variable of a shell gives.
FlagCheck NotEmpty();

}  // namespace thresher::pipeline
