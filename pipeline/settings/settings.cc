#include "pipeline/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "pipeline/settings/model_name.h"
#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"
#include "schema/nearest_word.h"
#include "tokenizer/ascii.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kFeatures = "features.";
constexpr std::string_view kLimits = "limits.";

Error Wrong(std::string_view place, std::string_view what) {
  return {kConfig, fmt::format("{}: {}", place, what)};
}

// The place of a value on the command line is KEY=VALUE: its key need not be said again.
Error WrongValue(std::string_view place, std::string_view key, std::string_view what) {
  return place.starts_with(fmt::format("{}=", key)) ? Wrong(place, what)
                                                    : Wrong(place, fmt::format("{}: {}", key, what));
}

bool IsBelow(std::string_view key, std::string_view section) {
  return key.size() > section.size() && key.starts_with(section) && key[section.size()] == '.';
}

// Where `key`, or any key below it, was set.
std::string PlaceOf(const Settings& settings, std::string_view key) {
  const auto found = settings.named.lower_bound(key);
  if (found != settings.named.end() && (found->first == key || IsBelow(found->first, key)))
    return found->second.place;
  return std::string(key);
}

std::string OptionKey(std::string_view option) { return fmt::format("{}.{}", kLearnerOptionsKey, option); }

// Whether the learner of `settings` accepts `options`.
Result<void> CheckLearner(const Settings& settings, const learners::OptionValues& options) {
  const auto fault = learners::WrongOption(settings.learner, options);
  if (!fault) return {};
  const std::string key = OptionKey(fault->option);
  return tl::unexpected(Wrong(PlaceOf(settings, settings.IsNamed(key) ? key : kLearnerOptionsKey),
                              fmt::format("learner {}: {}", settings.learner, fault->what)));
}

constexpr size_t kLongestMark = 64;

struct WrongSetting {
  std::string_view key;
  std::string what;  // empty: none
};

bool IsHeaderNameByte(char c) { return tokenizer::IsAsciiWordByte(c) || c == '-'; }

WrongSetting WrongMark(const tokenizer::OwnMarks& marks) {
  const std::string& name = marks.header;
  if (!tokenizer::StartsWithIgnoringCase(name, "X-") || name.size() == 2 || name.size() > kLongestMark ||
      !std::all_of(name.begin(), name.end(), IsHeaderNameByte)) {
    return {"mark.header",
            fmt::format("expected X- and letters, digits and hyphens, at most {} bytes", kLongestMark)};
  }
  for (const char* const taken : {tokenizer::kSpamFlagHeader, tokenizer::kSpamStatusHeader}) {
    if (marks.spam_headers && tokenizer::EqualsIgnoringCase(name, taken))
      return {"mark.header", fmt::format("mark.spam_headers writes {} too", taken)};
  }
  const std::string& tag = marks.subject_tag;
  const bool is_printable = std::all_of(tag.begin(), tag.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (!is_printable || tag.size() > kLongestMark || tag != tokenizer::Trim(tag)) {
    return {"mark.subject_tag",
            fmt::format("expected at most {} printable ASCII characters without blanks at the ends",
                        kLongestMark)};
  }
  return {};
}

// Where the value of a setting is one of another setting alone, as a preset's name is where a learner's is
// expected: what is meant then.
std::string PerhapsMeant(const Setting& setting, std::string_view value) {
  std::vector<std::string_view> keys;
  for (const Setting& other : AllSettings()) {
    if (std::ranges::find(other.option.choices, value) != other.option.choices.end())
      keys.push_back(other.key());
  }
  if (setting.option.choices.empty() || keys.size() != 1) return {};
  return fmt::format("; did you mean {}={}?", keys.front(), value);
}

void DropLearnerOptions(Settings* settings) {
  settings->learner_options.clear();
  std::erase_if(settings->named, [](const auto& entry) { return IsBelow(entry.first, kLearnerOptionsKey); });
}

// Sets one setting or learner option and records where it was given.
Result<void> Set(std::string_view key, Settings::Named named, Settings* settings) {
  if (IsBelow(key, kLearnerOptionsKey)) {
    const std::string_view option = key.substr(kLearnerOptionsKey.size() + 1);
    settings->learner_options.insert_or_assign(std::string(option), named.text);
  } else {
    const Setting* const setting = FindSetting(key);
    if (setting == nullptr) return tl::unexpected(Wrong(named.place, UnknownSetting(key)));
    const std::string learner_before = settings->learner;
    if (!setting->Set(*settings, named.text)) {
      return tl::unexpected(WrongValue(
          named.place, key, setting->option.Mismatch(named.text) + PerhapsMeant(*setting, named.text)));
    }
    if (settings->learner != learner_before) DropLearnerOptions(settings);
  }
  settings->named.insert_or_assign(std::string(key), std::move(named));
  return {};
}

// Starts with the values of the preset and sets again what was set before. `learner.name` comes before its
// options in the map, so no option is lost.
Result<void> ApplyPreset(const Settings::Named& preset, Settings* settings) {
  Settings renewed;
  for (const Preset::Value& value : FindPreset(settings->preset)->values) {
    Settings::Named named = preset;
    named.text = value.text;
    named.by_preset = true;
    named.in_file = preset.in_file || value.for_new_models;
    if (auto done = Set(value.key, named, &renewed); !done) return done;
  }
  for (const auto& [key, named] : settings->named) {
    if (named.by_preset) continue;
    if (auto done = Set(key, named, &renewed); !done) return done;
  }
  *settings = std::move(renewed);
  return {};
}

// The settings of a section that the tokenizer has, on one line.
std::string SectionText(std::string_view section, const tokenizer::Options& options) {
  Settings settings;
  settings.features = options;
  std::string text;
  for (const Setting& setting : AllSettings()) {
    if (setting.section() != section) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", setting.key().substr(section.size()), setting.Text(settings));
  }
  return text;
}

// Sets in *options what SectionText wrote; nothing if something is wrong with it.
Result<void> RestoreSection(std::string_view section, std::string_view text, tokenizer::Options* options) {
  Settings settings;
  settings.features = *options;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    Result<void> assigned = settings.Assign(fmt::format("{}{}", section, text.substr(0, end)));
    if (!assigned) return assigned;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  *options = std::move(settings.features);
  return {};
}

}  // namespace

std::string UnknownSetting(std::string_view key) {
  const bool has_section = key.find('.') != std::string_view::npos;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> known;  // to compare with: keys, or names if there is no dot
  for (const Setting& setting : AllSettings()) {
    keys.push_back(setting.key());
    known.push_back(has_section ? setting.key() : setting.key().substr(setting.section().size()));
  }
  const auto found = std::find(known.begin(), known.end(), schema::NearestWord(key, known));
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

Result<void> Settings::AssignAll(std::span<const std::string> assignments) {
  for (const bool of_learner : {false, true}) {
    for (const std::string& each : assignments) {
      if (IsBelow(each, kLearnerOptionsKey) != of_learner) continue;
      if (auto done = Assign(each); !done) return done;
    }
  }
  return {};
}

Result<void> Settings::Validate() const {
  if (!IsModelName(model)) {
    const auto what = fmt::format("expected a name of {}, found \"{}\"", ModelNameRule(), model);
    return tl::unexpected(WrongValue(PlaceOf(*this, "store.model"), "store.model", what));
  }
  if (!user.empty() && !tokenizer::IsUserName(user)) {
    const auto what = fmt::format(
        "expected at most {} bytes without slashes, ASCII spaces and control characters, found \"{}\"",
        tokenizer::kMaxUserName, user);
    return tl::unexpected(WrongValue(PlaceOf(*this, "store.user"), "store.user", what));
  }
  if (const WrongSetting wrong = WrongMark(features.marks); !wrong.what.empty())
    return tl::unexpected(WrongValue(PlaceOf(*this, wrong.key), wrong.key, wrong.what));
  if (filter_self_train > 0 && filter_self_train < 0.5) {
    return tl::unexpected(WrongValue(PlaceOf(*this, "filter.self_train"), "filter.self_train",
                                     fmt::format("expected 0 or at least 0.5, found {}", filter_self_train)));
  }
  if (thresholds.ham > thresholds.spam) {
    const std::string_view key = IsNamed("thresholds.ham") ? "thresholds.ham" : "thresholds.spam";
    return tl::unexpected(Wrong(
        PlaceOf(*this, key),
        fmt::format("thresholds.ham is {}, above thresholds.spam, {}", thresholds.ham, thresholds.spam)));
  }
  learners::OptionValues options = learner_options;
  if (!IsOnCommandLine("learner.name")) {
    std::erase_if(options, [this](const auto& option) { return IsOnCommandLine(OptionKey(option.first)); });
  }
  return CheckLearner(*this, options);
}

Result<void> Settings::ValidateNewLearner() const { return CheckLearner(*this, learner_options); }

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

std::string FeatureSettingsText(const tokenizer::Options& options) { return SectionText(kFeatures, options); }

Result<void> RestoreFeatureSettings(std::string_view text, tokenizer::Options* options) {
  tokenizer::Options restored = *options;
  tokenizer::SwitchOff(&restored);
  auto done = RestoreSection(kFeatures, text, &restored);
  if (done) *options = std::move(restored);
  return done;
}

std::string LimitSettingsText(const tokenizer::Options& options) { return SectionText(kLimits, options); }

Result<void> RestoreLimitSettings(std::string_view text, tokenizer::Options* options) {
  return RestoreSection(kLimits, text, options);
}

}  // namespace thresher::pipeline
