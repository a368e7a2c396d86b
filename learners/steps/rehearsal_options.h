// How much an online model rehearses: how many earlier examples it learns again after a step.
//
// Set by the settings `rehearsal.*`; recorded when a model is made, as its weights depend on it; used by
// pipeline/model/rehearsal.h. Thread-safety: plain values and pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "schema/option.h"

namespace thresher::learners {

// The most that is remembered of one class.
struct RehearsalLimits {
  uint64_t examples = 0;  // at least 1
  uint64_t bytes = std::numeric_limits<uint64_t>::max();
};

struct RehearsalOptions {
  uint64_t draws = 3;
  uint64_t memory = 1000;
  uint64_t bytes = 128U << 20;  // 0: no limit
  double mistrust = 0;

  RehearsalLimits PerClass() const {
    return {.examples = memory / 2, .bytes = bytes > 0 ? bytes / 2 : RehearsalLimits().bytes};
  }

  bool operator==(const RehearsalOptions&) const = default;
};

inline constexpr std::array<schema::OptionSpec, 4> kRehearsalOptions = {
    schema::OptionSpec{
        .name = "draws",
        .default_value = "3",
        .min = 0,
        .max = 1000,
        .whole = true,
        .help = "Number of earlier examples that are scored again after an example that changed the model, "
                "and learned again where their margin is small; 0 means none. An existing model keeps its "
                "own rehearsal settings."},
    schema::OptionSpec{.name = "memory",
                       .default_value = "1000",
                       .min = 2,
                       .max = 1e6,
                       .whole = true,
                       .help = "Number of earlier examples from which these are drawn: the newest that "
                               "changed the model, half of them of each class."},
    schema::OptionSpec{
        .name = "bytes",
        .default_value = "134217728",
        .min = 0,
        .max = 1e15,
        .whole = true,
        .help = "Bytes of these examples and of those that wait to be learned, half of them of each class; 0 "
                "means no limit. If there are more, the oldest leave. A feature has 16 bytes and its text: "
                "what it takes in memory, and more than in a log of features."},
    schema::OptionSpec{.name = "mistrust",
                       .default_value = "0",
                       .min = 0,
                       .max = 1e6,
                       .help = "An earlier example whose margin is on the wrong side by more than this is "
                               "left out, as its label may be wrong."},
};

// "draws=3 memory=1000 mistrust=0 bytes=134217728", without bytes if they have no limit.
std::string RehearsalText(const RehearsalOptions& options);
// The inverse. Of the options that the text lacks, bytes have no limit, as in the models of programs that
// knew none; others have their defaults. Nothing if it is not such a text.
std::optional<RehearsalOptions> ReadRehearsal(std::string_view text);

}  // namespace thresher::learners
