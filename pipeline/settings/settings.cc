#include "pipeline/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "pipeline/settings/nearest_word.h"
#include "pipeline/settings/places.h"
#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kFeatures = "features.";

Error Wrong(std::string_view place, std::string_view what) {
  return {kConfig, fmt::format("{}: {}", place, what)};
}

bool IsBelow(std::string_view key, std::string_view section) {
  return key.size() > section.size() && key.starts_with(section) && key[section.size()] == '.';
}

// Where `key`, or else anything below it, was named.
std::string PlaceOf(const Settings& settings, std::string_view key) {
  const auto found = settings.named.lower_bound(key);
  if (found != settings.named.end() && (found->first == key || IsBelow(found->first, key)))
    return found->second.place;
  return std::string(key);
}

void DropLearnerOptions(Settings* settings) {
  settings->learner_options.clear();
  std::erase_if(settings->named, [](const auto& entry) { return IsBelow(entry.first, kLearnerOptionsKey); });
}

// Sets one setting or learner option and remembers what named it.
Result<void> Set(std::string_view key, Settings::Named named, Settings* settings) {
  if (IsBelow(key, kLearnerOptionsKey)) {
    const std::string_view option = key.substr(kLearnerOptionsKey.size() + 1);
    settings->learner_options.insert_or_assign(std::string(option), named.text);
  } else {
    const Setting* const setting = FindSetting(key);
    if (setting == nullptr) return tl::unexpected(Wrong(named.place, UnknownSetting(key)));
    const std::string learner_before = settings->learner;
    if (!setting->Set(*settings, named.text)) {
      return tl::unexpected(Wrong(
          named.place, fmt::format("{}: expected {}, found \"{}\"", key, setting->Expected(), named.text)));
    }
    if (settings->store_path.starts_with("~/")) settings->store_path.replace(0, 1, HomeFolder());
    if (settings->learner != learner_before) DropLearnerOptions(settings);
  }
  settings->named.insert_or_assign(std::string(key), std::move(named));
  return {};
}

// Begins anew with the preset's values and names again what was named: a learner stands before its options in
// the map, so none is lost.
Result<void> ApplyPreset(const Settings::Named& preset, Settings* settings) {
  Settings renewed;
  for (const Preset::Value& value : FindPreset(settings->preset)->values) {
    Settings::Named named = preset;
    named.text = value.text;
    named.by_preset = true;
    if (auto done = Set(value.key, named, &renewed); !done) return done;
  }
  for (const auto& [key, named] : settings->named) {
    if (named.by_preset) continue;
    if (auto done = Set(key, named, &renewed); !done) return done;
  }
  *settings = std::move(renewed);
  return {};
}

}  // namespace

std::string UnknownSetting(std::string_view key) {
  const bool has_section = key.find('.') != std::string_view::npos;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> known;  // what is compared: keys, or for a bare name names
  for (const Setting& setting : AllSettings()) {
    keys.push_back(setting.key);
    known.push_back(has_section ? setting.key : setting.key.substr(setting.key.find('.') + 1));
  }
  const auto found = std::find(known.begin(), known.end(), NearestWord(key, known));
  const std::string_view nearest =
      found == known.end() ? "" : keys[static_cast<size_t>(found - known.begin())];
  if (nearest.empty()) return fmt::format("unknown setting \"{}\"; `thresher config` prints them all", key);
  return fmt::format("unknown setting \"{}\"; did you mean \"{}\"?", key, nearest);
}

Result<void> SetByKey(std::string_view key, const Settings::Named& named, Settings* settings) {
  if (auto done = Set(key, named, settings); !done) return done;
  return key == kPresetKey ? ApplyPreset(named, settings) : Result<void>();
}

Result<void> Settings::Assign(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return tl::unexpected(Wrong(assignment, "expected KEY=VALUE"));
  const Named value = {.text = std::string(assignment.substr(equals + 1)), .place = std::string(assignment)};
  return SetByKey(assignment.substr(0, equals), value, this);
}

Result<void> Settings::Validate() const {
  if (model.starts_with('.') || model.find('/') != std::string::npos) {
    const auto what =
        fmt::format("store.model: expected a name without / and a leading dot, found \"{}\"", model);
    return tl::unexpected(Wrong(PlaceOf(*this, "store.model"), what));
  }
  if (!user.empty() && !tokenizer::IsUserName(user)) {
    const auto what =
        fmt::format("store.user: expected at most {} bytes without slashes and spaces, found \"{}\"",
                    tokenizer::kMaxUserName, user);
    return tl::unexpected(Wrong(PlaceOf(*this, "store.user"), what));
  }
  if (thresholds.ham > thresholds.spam) {
    const std::string_view key = IsNamed("thresholds.ham") ? "thresholds.ham" : "thresholds.spam";
    return tl::unexpected(Wrong(
        PlaceOf(*this, key),
        fmt::format("thresholds.ham is {}, above thresholds.spam, {}", thresholds.ham, thresholds.spam)));
  }
  if (learners::FindLearner(learner) == nullptr) {
    std::vector<std::string_view> names;
    for (const learners::LearnerSpec& spec : learners::AllLearners()) names.push_back(spec.name);
    return tl::unexpected(Wrong(
        PlaceOf(*this, "learner.name"),
        fmt::format("learner.name: expected one of {}, found \"{}\"", fmt::join(names, ", "), learner)));
  }
  const auto made = learners::MakeLearner(learner, learner_options);
  if (!made) return tl::unexpected(Wrong(PlaceOf(*this, kLearnerOptionsKey), made.error()));
  return {};
}

size_t Settings::ThreadsToUse() const {
  return replay_threads > 0 ? replay_threads : std::max(1U, std::thread::hardware_concurrency());
}

bool Settings::IsOnCommandLine(std::string_view key) const {
  const auto found = named.find(key);
  return found != named.end() && !found->second.in_file;
}

bool Settings::IsNamed(std::string_view key) const {
  return std::any_of(named.begin(), named.end(),
                     [&](const auto& entry) { return entry.first == key || IsBelow(entry.first, key); });
}

std::string FeatureSettingsText(const tokenizer::Options& options) {
  Settings settings;
  settings.features = options;
  std::string text;
  for (const Setting& setting : AllSettings()) {
    if (!setting.key.starts_with(kFeatures)) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", setting.key.substr(kFeatures.size()), setting.Text(settings));
  }
  return text;
}

Result<void> RestoreFeatureSettings(std::string_view text, tokenizer::Options* options) {
  Settings settings;
  settings.features = *options;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    Result<void> assigned = settings.Assign(fmt::format("{}{}", kFeatures, text.substr(0, end)));
    if (!assigned) return assigned;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  *options = std::move(settings.features);
  return {};
}

}  // namespace thresher::pipeline
