// Options as text: checking them against their specs, putting them in canonical form, reading them.
//
// Called by the registry, and by each learner's `make` with values the registry has completed.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/registry.h"

namespace thresher::learners {

// `given` over the defaults, every number in its shortest exact form, so that equal options are equal texts.
// The error is one line that names the option, its value and what was expected.
tl::expected<OptionValues, std::string> CompleteOptions(std::span<const OptionSpec> specs,
                                                        const OptionValues& given);

// "l1=1e-06 l2=0 …" in the order of `specs`.
std::string FormatOptions(std::span<const OptionSpec> specs, const OptionValues& complete);

// The inverse of FormatOptions; the values are not checked.
tl::expected<OptionValues, std::string> SplitOptions(std::string_view text);

// REQUIRES, of each: `complete` comes from CompleteOptions and has the option.
double NumberOption(const OptionValues& complete, std::string_view name);
std::string_view WordOption(const OptionValues& complete, std::string_view name);
bool SwitchOption(const OptionValues& complete, std::string_view name);

}  // namespace thresher::learners
