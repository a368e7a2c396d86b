// Presets: named sets of values for several settings, for users who know what they want but not how to set
// it.
//
// Used inside this folder, by `thresher config` and by what writes the reference. The values of a preset
// replace the defaults; configuration file and command line override them. Thread-safety: immutable.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace thresher::pipeline {

struct Preset {
  struct Value {
    std::string_view key;  // of a setting, or of a learner's option
    std::string_view text;
    bool for_new_models = false;  // an existing model may have another value
  };

  std::string_view name;
  std::string_view help;  // one line
  std::vector<Value> values = {};
};

std::span<const Preset> AllPresets();
std::vector<std::string_view> PresetNames();

// Null if there is none of that name.
const Preset* FindPreset(std::string_view name);

}  // namespace thresher::pipeline
