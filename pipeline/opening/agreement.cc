#include "pipeline/opening/agreement.h"

#include <fmt/format.h>

#include <optional>
#include <random>
#include <string>
#include <utility>

#include "learners/options.h"
#include "learners/registry.h"
#include "pipeline/model/store_error.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// As many bytes of the operating system's random source.
std::string RandomBytes(size_t count) {
  std::random_device device;
  std::string bytes;
  while (bytes.size() < count) bytes += static_cast<char>(device());
  return bytes;
}

Result<std::unique_ptr<learners::Learner>> NewLearner(const Settings& settings) {
  if (auto valid = settings.ValidateNewLearner(); !valid) return tl::unexpected(valid.error());
  auto learner = learners::MakeLearner(settings.learner, settings.learner_options);
  if (!learner) return tl::unexpected(Error{kConfig, learner.error()});
  return *std::move(learner);
}

// The recorded learner with what the command line names, directly or by a preset.
Result<std::unique_ptr<learners::Learner>> NamedLearner(const Settings& settings,
                                                        const learners::Learner& recorded) {
  const bool same = !settings.IsOnCommandLine("learner.name") || settings.learner == recorded.Name();
  learners::OptionValues options;
  if (same) options = *learners::SplitOptions(recorded.OptionsText());
  for (const auto& [name, value] : settings.learner_options) {
    if (settings.IsOnCommandLine(fmt::format("{}.{}", kLearnerOptionsKey, name)))
      options.insert_or_assign(name, value);
  }
  auto named = learners::MakeLearner(same ? recorded.Name() : settings.learner, options);
  if (!named) return tl::unexpected(Error{kConfig, named.error()});
  return *std::move(named);
}

// What to do about a conflict with a model that follows a log, which cannot be taught again, and is the same
// under any name. `what`: the settings.
std::string LeaveToLog(std::string_view what) {
  return fmt::format("the nodes of its log agreed upon that; leave {} to the model", what);
}

// " (preset=tiny)" if the command line names what it does of the learner by a preset.
std::string ByPreset(const Settings& settings) {
  for (const auto& [key, named] : settings.named) {
    if (key.starts_with("learner.") && named.by_preset && !named.in_file)
      return fmt::format(" ({})", named.place);
  }
  return {};
}

std::optional<Error> LearnerConflict(const Settings& settings, const learners::Learner& recorded,
                                     bool follows_log) {
  const auto wanted = NamedLearner(settings, recorded);
  if (!wanted) return wanted.error();
  if ((*wanted)->Name() == recorded.Name() && (*wanted)->OptionsText() == recorded.OptionsText())
    return std::nullopt;
  const std::string difference =
      (*wanted)->Name() != recorded.Name()
          ? fmt::format("{}, not {}", recorded.Name(), (*wanted)->Name())
          : fmt::format("{} and {}", recorded.Name(),
                        Differences(*learners::SplitOptions(recorded.OptionsText()),
                                    *learners::SplitOptions((*wanted)->OptionsText()), "not"));
  return Error{kConfig,
               fmt::format("this model was made with learner {}{}: {}", difference, ByPreset(settings),
                           follows_log ? LeaveToLog("the learner")
                                       : "teach it again by `thresher rebuild` with the same flags, or name "
                                         "another --model or --store")};
}

constexpr std::string_view kRehearsal = "rehearsal.";
constexpr std::string_view kFeatures = "features.";
constexpr std::string_view kIgnoreHeaders = "features.ignore_headers";

// What to do about a conflict of settings that begin with `prefix`.
std::string Advice(std::string_view prefix, const ModelIdentity& recorded, bool follows_log) {
  const std::string all = fmt::format("{}{}", prefix, prefix.ends_with('.') ? "*" : "");
  if (follows_log) return LeaveToLog(all);
  if (prefix == kFeatures && !recorded.features.keep_message) {
    return fmt::format(
        "its log holds features, of which no others can be made; leave {} to the model (`thresher rebuild` "
        "takes --set of learner.* and rehearsal.*), or teach the mail to another --model or --store, with "
        "log.holds=message to be able to change them",
        all);
  }
  constexpr std::string_view kRebuild = "teach it again by `thresher rebuild` with the same flags, or ";
  return fmt::format("{}name another --model or --store, or leave {} to the model",
                     prefix == kRehearsal || prefix == kFeatures ? kRebuild : "", all);
}

// A setting whose key begins so, that the command line named, and that is not the recorded one.
std::optional<Error> ConflictIn(std::string_view prefix, const Settings& settings,
                                const ModelIdentity& recorded, bool follows_log) {
  const Settings as_recorded = AsRecorded(settings, recorded);
  for (const auto& [key, named] : settings.named) {
    const Setting* setting = key.starts_with(prefix) && !named.in_file ? FindSetting(key) : nullptr;
    if (setting == nullptr || setting->Text(settings) == setting->Text(as_recorded)) continue;
    return Error{kConfig, fmt::format("this model was made with {} {}, not {} ({}): {}", key,
                                      setting->Text(as_recorded), setting->Text(settings), named.place,
                                      Advice(prefix, recorded, follows_log))};
  }
  return std::nullopt;
}

// What a model is made again with: its own settings that begin with `prefix`, but for those that the command
// line names. If it names a preset, all are as for a new model.
Settings Wanted(std::string_view prefix, const Settings& settings, const ModelIdentity& recorded) {
  Settings wanted = AsRecorded(settings, recorded);
  for (const Setting& setting : AllSettings()) {
    if (!setting.key().starts_with(prefix) || setting.key() == kIgnoreHeaders) continue;
    if (settings.IsOnCommandLine(kPresetKey) || settings.IsOnCommandLine(setting.key()))
      setting.Set(wanted, setting.Text(settings));
  }
  return wanted;
}

// Those that the settings ask for; nothing if the model has them.
std::optional<OtherFeatures> AskedFeatures(const Settings& settings, const ModelIdentity& recorded) {
  tokenizer::Options asked = Wanted(kFeatures, settings, recorded).features;
  std::string text = FeatureSettingsText(asked);
  if (text == FeatureSettingsText(recorded.features)) return std::nullopt;
  return OtherFeatures{.options = std::move(asked), .text = std::move(text)};
}

std::optional<OtherFeatures> WantedFeatures(const Settings& settings, const ModelIdentity& recorded) {
  return recorded.features.keep_message ? AskedFeatures(settings, recorded) : std::nullopt;
}

std::string TextOf(const std::optional<OtherFeatures>& features) { return features ? features->text : ""; }

}  // namespace

Settings AsRecorded(Settings settings, const ModelIdentity& recorded) {
  settings.learner = recorded.learner->Name();
  settings.learner_options = *learners::SplitOptions(recorded.learner->OptionsText());
  settings.features = recorded.features;
  settings.rehearsal = recorded.rehearsal;
  settings.log_holds = recorded.features.keep_message ? kLogOfMessages : kLogOfFeatures;
  return settings;
}

Result<storage::Meta> NewMeta(const Settings& settings) {
  auto learner = NewLearner(settings);
  if (!learner) return tl::unexpected(learner.error());
  ModelRecord record{FeatureSettingsText(settings.features), RandomSeed(), *std::move(learner),
                     settings.rehearsal, NewKeySecret()};
  if (settings.log_holds == kLogOfMessages) record.limits = LimitSettingsText(settings.features);
  return MetaOf(record);
}

std::string NewKeySecret() { return RandomBytes(tokenizer::KeyMaker::kSecretBytes); }

Result<ModelIdentity> ReadIdentity(const storage::Meta& meta, const Settings& settings, Remake remake) {
  const auto record = ReadRecord(meta, remake);
  if (!record) return tl::unexpected(record.error());
  ModelIdentity identity{settings.features, record->seed, record->learner, record->rehearsal,
                         record->key_secret};
  if (auto restored = RestoreFeatureSettings(record->features, &identity.features); !restored)
    return tl::unexpected(CorruptStore(restored.error().message));
  identity.features.keep_message = record->limits.has_value();
  if (auto restored = RestoreLimitSettings(record->limits.value_or(""), &identity.features); !restored)
    return tl::unexpected(CorruptStore(restored.error().message));
  return identity;
}

Result<ModelIdentity> ReadCheckedIdentity(const storage::Meta& meta, const Settings& settings,
                                          Remake remake) {
  auto identity = ReadIdentity(meta, settings, remake);
  if (!identity) return identity;
  const bool is_remade = remake == Remake::kYes;
  const bool follows_log = meta.contains(kFollows);
  if (!is_remade) {
    if (auto conflict = LearnerConflict(settings, *identity->learner, follows_log))
      return tl::unexpected(*std::move(conflict));
    if (auto conflict = ConflictIn(kRehearsal, settings, *identity, follows_log))
      return tl::unexpected(*std::move(conflict));
  }
  const bool may_tokenise_anew = is_remade && identity->features.keep_message;
  const std::string_view fixed = may_tokenise_anew ? kIgnoreHeaders : kFeatures;
  for (const std::string_view prefix : {fixed, std::string_view("limits."), std::string_view("log.holds")}) {
    if (auto conflict = ConflictIn(prefix, settings, *identity, follows_log))
      return tl::unexpected(*std::move(conflict));
  }
  return identity;
}

std::string Differences(const learners::OptionValues& values, const learners::OptionValues& others,
                        std::string_view word) {
  learners::OptionValues all = values;
  all.insert(others.begin(), others.end());
  // An option may be left out while it has its default.
  const auto value_in = [](const learners::OptionValues& options, const std::string& name) {
    const auto found = options.find(name);
    return found == options.end() ? "its default" : found->second;
  };
  std::string text;
  for (const auto& [name, any] : all) {
    const std::string value = value_in(values, name);
    const std::string other = value_in(others, name);
    if (other != value)
      text += fmt::format("{}{}={}, {} {}", text.empty() ? "" : "; ", name, value, word, other);
  }
  return text;
}

Result<Remaking> WantedRemaking(const Settings& settings, const ModelIdentity& recorded) {
  // What a preset does not say has its default, whatever the model had.
  auto learner =
      settings.IsOnCommandLine(kPresetKey) ? NewLearner(settings) : NamedLearner(settings, *recorded.learner);
  if (!learner) return tl::unexpected(learner.error());
  return Remaking{.learner = *std::move(learner),
                  .rehearsal = Wanted(kRehearsal, settings, recorded).rehearsal,
                  .features = WantedFeatures(settings, recorded)};
}

bool KeepsFeatures(const Settings& settings, const ModelIdentity& recorded) {
  return !recorded.features.keep_message && AskedFeatures(settings, recorded).has_value();
}

const Settings::Named* PresetNotUsed(const Settings& settings, const ModelIdentity& recorded,
                                     const Remaking& wanted) {
  const auto preset = settings.named.find(kPresetKey);
  if (preset == settings.named.end() || !preset->second.in_file) return nullptr;
  Settings used = settings;
  used.named.find(kPresetKey)->second.in_file = false;
  const auto other = WantedRemaking(used, recorded);
  if (!other) return nullptr;
  const bool is_same = other->learner->Name() == wanted.learner->Name() &&
                       other->learner->OptionsText() == wanted.learner->OptionsText() &&
                       other->rehearsal == wanted.rehearsal &&
                       TextOf(other->features) == TextOf(wanted.features);
  return is_same ? nullptr : &preset->second;
}

}  // namespace thresher::pipeline
