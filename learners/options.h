// The options of one learner or solver as a set: completing them with the defaults, writing and reading them
// as one text. What a single value may be is said by schema/option.h.
//
// Called by the registries, and by each learner's `make` with values that the registry has completed.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/registry.h"

namespace thresher::learners {

// `given` over the defaults, each value in its canonical form, so that equal options are equal texts.
// `check`, if there is one, has the last word.
tl::expected<OptionValues, OptionFault> CompleteOptions(std::span<const OptionSpec> specs,
                                                        const OptionValues& given,
                                                        CheckOptions check = nullptr);

// "l1=1e-06 l2=0 …" in the order of `specs`.
std::string FormatOptions(std::span<const OptionSpec> specs, const OptionValues& complete);

// The inverse of FormatOptions; the values are not checked.
tl::expected<OptionValues, std::string> SplitOptions(std::string_view text);

// REQUIRES, of each: `complete` comes from CompleteOptions and has the option.
double NumberOption(const OptionValues& complete, std::string_view name);
std::string_view WordOption(const OptionValues& complete, std::string_view name);
bool SwitchOption(const OptionValues& complete, std::string_view name);

}  // namespace thresher::learners
