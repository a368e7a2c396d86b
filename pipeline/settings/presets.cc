#include "pipeline/settings/presets.h"

#include <algorithm>

#include "tokenizer/options.h"

namespace thresher::pipeline {
namespace {

// Of more bytes than where other families read the rest, and with the smaller learning rates that suit
// features of one kind. The preset had no such values at first.
std::vector<Preset::Value> NgramsAlone() {
  std::vector<Preset::Value> values = {
      {.key = "features.raw_head_bytes", .text = "3500", .for_new_models = true},
      {.key = "features.ngram_head_bytes", .text = "2500", .for_new_models = true},
      {.key = "learner.options.alpha", .text = "0.9", .for_new_models = true},
      {.key = "learner.options.min_gradient", .text = "0.01", .for_new_models = true},
      {.key = "learner.options.memory", .text = "0.996", .for_new_models = true}};
  for (const tokenizer::TokenFamily& family : tokenizer::kTokenFamilies)
    if (family.enabled != &tokenizer::Options::raw_ngrams) values.push_back({family.setting, "false"});
  return values;
}

const std::vector<Preset>& Presets() {
  // A configuration file names a preset for new models; an existing model is opened with the values it was
  // made with. On a command line a preset must have these values, so those of a released one change seldom;
  // families of tokens that came later are off in models made before.
  // Measurements are in docs/learners-measured.md.
  static const std::vector<Preset> kTable = {
      {"default", "All settings have their defaults."},
      {"sparse",
       "About 5,000 non-zero weights for a mailbox, some 3 % of the default's; less accurate where labels "
       "are wrong.",
       {{"learner.name", "ftrl"},
        {"learner.options.alpha", "2.5"},
        {"learner.options.beta", "0.032"},
        {"learner.options.l1", "0.0025"},
        {"learner.options.significance", "1"},
        {"learner.options.min_gradient", "0.02"},
        {"learner.options.forget_every", "100"},
        {"learner.options.forget_below", "2.5"},
        {"learner.options.own_part", "0.5"}}},
      {"tiny",
       "A vocabulary that can be read whole: 500 to 2,500 non-zero weights for a mailbox.",
       {{"learner.name", "ftrl"},
        {"learner.options.alpha", "3"},
        {"learner.options.beta", "0.017"},
        {"learner.options.l1", "0.0006"},
        {"learner.options.l1_growth", "0.5"},
        {"learner.options.significance", "1"},
        {"learner.options.warm_up", "40"},
        {"learner.options.min_gradient", "0.015"},
        {"learner.options.forget_every", "200"},
        {"learner.options.forget_below", "0.6"},
        {"learner.options.own_part", "0.5"},
        {"rehearsal.draws", "6"}}},
      {"fast",
       "Only byte 4-grams of the start of what a sender wrote: little is decoded, and the vocabulary has no "
       "words.",
       NgramsAlone()},
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
