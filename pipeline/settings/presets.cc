#include "pipeline/settings/presets.h"

#include <algorithm>

namespace thresher::pipeline {
namespace {

const std::vector<Preset>& Presets() {
  // A configuration names a preset, and an existing model is opened with the values it was made with: once
  // released, a preset keeps its values; families of tokens that came later are off in models made before.
  // Measurements are in docs/learners-measured.md.
  static const std::vector<Preset> kTable = {
      {"default", "All settings have their defaults."},
      {"sparse",
       "About an eighth of the non-zero weights, some 25,000 for a mailbox; nearly as accurate if few labels "
       "are wrong.",
       {{"learner.name", "ftrl"}, {"learner.options.l1", "0.002"}}},
      {"noisy-labels",
       "For feedback of which a few per cent is wrong.",
       {{"learner.name", "ftrl"},
        {"learner.options.alpha", "0.35"},
        {"learner.options.beta", "0.003"},
        {"learner.options.l1", "0.003"},
        {"learner.options.significance", "0.8"},
        {"learner.options.min_gradient", "0.03"}}},
      {"fast",
       "Only byte 4-grams of the start of the message: little is decoded, and the vocabulary has no words.",
       {{"features.headers", "false"},
        {"features.body_words", "false"},
        {"features.html_structure", "false"},
        {"features.urls", "false"},
        {"features.attachments", "false"},
        {"features.word_pairs", "false"},
        {"features.authentication", "false"},
        {"features.correspondence", "false"},
        {"features.disguises", "false"},
        {"features.composition", "false"},
        {"features.link_targets", "false"}}},
  };
  return kTable;
}

}  // namespace

std::span<const Preset> AllPresets() { return Presets(); }

std::vector<std::string_view> PresetNames() {
  std::vector<std::string_view> names;
  for (const Preset& preset : Presets()) names.push_back(preset.name);
  return names;
}

const Preset* FindPreset(std::string_view name) {
  const auto found =
      std::find_if(Presets().begin(), Presets().end(), [&](const Preset& p) { return p.name == name; });
  return found == Presets().end() ? nullptr : &*found;
}

}  // namespace thresher::pipeline
