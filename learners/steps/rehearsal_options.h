// How much an online model rehearses: how many earlier examples it learns again after a step.
//
// Set by the settings `rehearsal.*`; recorded when a model is made, as its weights depend on it; used by
// pipeline/model/rehearsal.h. Thread-safety: plain values and pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schema/option.h"

namespace thresher::learners {

struct RehearsalOptions {
  uint64_t draws = 3;
  uint64_t memory = 1000;
  double mistrust = 0;

  // The most examples of one class that are remembered.
  uint64_t PerClass() const { return memory / 2; }

  bool operator==(const RehearsalOptions&) const = default;
};

inline constexpr std::array<schema::OptionSpec, 3> kRehearsalOptions = {
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
    schema::OptionSpec{.name = "mistrust",
                       .default_value = "0",
                       .min = 0,
                       .max = 1e6,
                       .help = "An earlier example whose margin is on the wrong side by more than this is "
                               "left out, as its label may be wrong."},
};

// "draws=3 memory=1000 mistrust=0"
std::string RehearsalText(const RehearsalOptions& options);
// The inverse; options that the text lacks have their defaults. Nothing if it is not such a text.
std::optional<RehearsalOptions> ReadRehearsal(std::string_view text);

}  // namespace thresher::learners
