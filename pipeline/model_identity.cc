#include "pipeline/model_identity.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "learners/options.h"
#include "learners/registry.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

// Names in the store's meta family; see storage/FORMAT.md.
constexpr std::string_view kTokenizer = "tokenizer";
constexpr std::string_view kFeatures = "features";
constexpr std::string_view kSeed = "seed";
constexpr std::string_view kLearner = "learner";
constexpr std::string_view kLearnerOptions = "learner-options";

uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

Result<std::string> Recorded(const storage::Meta& meta, std::string_view name) {
  const auto found = meta.find(name);
  if (found == meta.end()) return tl::unexpected(CorruptStore(fmt::format("meta has no '{}'", name)));
  return found->second;
}

Result<uint64_t> ParseSeed(const std::string& text) {
  uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, seed, 16);
  if (error != std::errc() || stopped != end) return tl::unexpected(CorruptStore("the seed is no number"));
  return seed;
}

// "l1=1e-06, not 1e-05; …": the options whose values differ.
std::string Differences(const learners::OptionValues& recorded, const learners::OptionValues& wanted) {
  std::string text;
  for (const auto& [name, value] : recorded) {
    const std::string& other = wanted.at(name);
    if (other != value) text += fmt::format("{}{}={}, not {}", text.empty() ? "" : "; ", name, value, other);
  }
  return text;
}

// A recorded learner wins over the configuration file, but not silently over one that the command line named,
// nor over a named option.
std::optional<Error> LearnerConflict(const Settings& settings, const learners::Learner& recorded) {
  const auto wanted = WantedLearner(settings, recorded);
  if (!wanted) return wanted.error();
  if ((*wanted)->Name() == recorded.Name() && (*wanted)->OptionsText() == recorded.OptionsText())
    return std::nullopt;
  const std::string difference =
      (*wanted)->Name() != recorded.Name()
          ? fmt::format("{}, not {}", recorded.Name(), (*wanted)->Name())
          : fmt::format("{} and {}", recorded.Name(),
                        Differences(*learners::SplitOptions(recorded.OptionsText()),
                                    *learners::SplitOptions((*wanted)->OptionsText())));
  return Error{kConfig, fmt::format("this model was made with learner {}: teach it again by "
                                    "`thresher rebuild`, or name another --model or --store",
                                    difference)};
}

// A feature setting that the command line named and is not the recorded one.
std::optional<Error> FeatureConflict(const Settings& settings, const tokenizer::Options& recorded) {
  Settings as_recorded = settings;
  as_recorded.features = recorded;
  for (const auto& [key, named] : settings.named) {
    const Setting* setting = key.starts_with("features.") && !named.in_file ? FindSetting(key) : nullptr;
    if (setting == nullptr || setting->Text(settings) == setting->Text(as_recorded)) continue;
    return Error{kConfig, fmt::format("this model was made with {} {}, not {} ({}): name another --model or "
                                      "--store, or leave the features to the model",
                                      key, setting->Text(as_recorded), setting->Text(settings), named.place)};
  }
  return std::nullopt;
}

}  // namespace

Error CorruptStore(std::string_view what) {
  return {
      kData,
      fmt::format("the store is corrupt: {}; restore it from a backup, or remove it and teach again", what)};
}

Result<storage::Meta> NewIdentity(const Settings& settings) {
  const auto learner = learners::MakeLearner(settings.learner, settings.learner_options);
  if (!learner) return tl::unexpected(Error{kConfig, learner.error()});
  return storage::Meta{{std::string(kTokenizer), tokenizer::kTokenizerVersion},
                       {std::string(kFeatures), FeatureSettingsText(settings.features)},
                       {std::string(kSeed), fmt::format("{:016x}", RandomSeed())},
                       {std::string(kLearner), std::string((*learner)->Name())},
                       {std::string(kLearnerOptions), (*learner)->OptionsText()}};
}

storage::Meta WithLearner(storage::Meta meta, const learners::Learner& learner) {
  meta.insert_or_assign(std::string(kLearner), learner.Name());
  meta.insert_or_assign(std::string(kLearnerOptions), learner.OptionsText());
  return meta;
}

Result<std::unique_ptr<learners::Learner>> WantedLearner(const Settings& settings,
                                                         const learners::Learner& recorded) {
  const bool same = !settings.IsOnCommandLine("learner.name") || settings.learner == recorded.Name();
  learners::OptionValues options;
  if (same) options = *learners::SplitOptions(recorded.OptionsText());
  for (const auto& [name, value] : settings.learner_options) {
    if (settings.IsOnCommandLine(fmt::format("{}.{}", kLearnerOptionsKey, name)))
      options.insert_or_assign(name, value);
  }
  auto wanted = learners::MakeLearner(same ? recorded.Name() : settings.learner, options);
  if (!wanted) return tl::unexpected(Error{kConfig, wanted.error()});
  return *std::move(wanted);
}

Result<ModelIdentity> ReadIdentity(const storage::Meta& meta, const Settings& settings) {
  const auto tokenizer = Recorded(meta, kTokenizer);
  const auto features = Recorded(meta, kFeatures);
  const auto seed_text = Recorded(meta, kSeed);
  const auto learner_name = Recorded(meta, kLearner);
  const auto learner_options = Recorded(meta, kLearnerOptions);
  for (const auto* field : {&tokenizer, &features, &seed_text, &learner_name, &learner_options}) {
    if (!*field) return tl::unexpected(field->error());
  }
  if (*tokenizer != tokenizer::kTokenizerVersion) {
    return tl::unexpected(
        Error{kConfig, fmt::format("this model was made with tokenizer {}; this program has {}: use the "
                                   "program it was made with, or teach a new model",
                                   *tokenizer, tokenizer::kTokenizerVersion)});
  }
  ModelIdentity identity{settings.features, 0, nullptr};
  if (auto restored = RestoreFeatureSettings(*features, &identity.features); !restored) {
    return tl::unexpected(CorruptStore(restored.error().message));
  }
  const auto seed = ParseSeed(*seed_text);
  if (!seed) return tl::unexpected(seed.error());
  identity.seed = *seed;
  auto learner = learners::RestoreLearner(*learner_name, *learner_options);
  if (!learner) return tl::unexpected(Error{kConfig, "this model cannot be opened: " + learner.error()});
  identity.learner = *std::move(learner);
  if (auto conflict = LearnerConflict(settings, *identity.learner))
    return tl::unexpected(*std::move(conflict));
  if (auto conflict = FeatureConflict(settings, identity.features))
    return tl::unexpected(*std::move(conflict));
  return identity;
}

}  // namespace thresher::pipeline
