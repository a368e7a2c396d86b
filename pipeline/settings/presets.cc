#include "pipeline/settings/presets.h"

#include <algorithm>

namespace thresher::pipeline {
namespace {

const std::vector<Preset>& Table() {
  // A model is opened by the values it was made with, a configuration names a preset: once released, a name
  // keeps its values. What was measured stands in docs/learners.md.
  static const std::vector<Preset> kTable = {
      {"default", "every setting has its default"},
      {"sparse",
       "less than half of the default's weights, about 20,000 for a mailbox, and nearly its accuracy",
       {{"learner.name", "ftrl"}, {"learner.options.l1", "0.002"}}},
      {"noisy-labels",
       "where some per cent of the feedback is wrong",
       {{"learner.name", "ftrl"},
        {"learner.options.alpha", "0.35"},
        {"learner.options.beta", "0.003"},
        {"learner.options.l1", "0.003"},
        {"learner.options.significance", "0.8"},
        {"learner.options.min_gradient", "0.03"}}},
      {"fast",
       "byte 4-grams of the head only: nothing is decoded, and a model says less about words",
       {{"features.headers", "false"},
        {"features.body_words", "false"},
        {"features.html_structure", "false"},
        {"features.urls", "false"},
        {"features.attachments", "false"},
        {"features.word_pairs", "false"}}},
  };
  return kTable;
}

}  // namespace

std::span<const Preset> AllPresets() { return Table(); }

std::vector<std::string_view> PresetNames() {
  std::vector<std::string_view> names;
  for (const Preset& preset : Table()) names.push_back(preset.name);
  return names;
}

const Preset* FindPreset(std::string_view name) {
  const auto found =
      std::find_if(Table().begin(), Table().end(), [&](const Preset& p) { return p.name == name; });
  return found == Table().end() ? nullptr : &*found;
}

}  // namespace thresher::pipeline
