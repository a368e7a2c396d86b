#include "pipeline/opening/in_force.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "learners/options.h"
#include "learners/registry.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/agreement.h"
#include "pipeline/opening/opening.h"
#include "pipeline/settings/table.h"
#include "storage/database.h"

namespace thresher::pipeline {
namespace {

Result<Settings> AsTheModelIs(const std::filesystem::path& dir, const Settings& settings) {
  auto database = storage::Database::OpenForReading(dir);
  if (!database) return StoreFailure(database.error());
  const auto identity = ReadIdentity((*database)->meta(), settings, Remake::kYes);
  if (!identity) return tl::unexpected(identity.error());
  return AsRecorded(settings, *identity);
}

// Notes in *settings that the model has `value`. `other`: what the configuration says; empty: nothing.
void Mark(std::string_view key, const std::string& value, const std::string& other, Settings* settings) {
  const auto named = settings->named.find(key);
  std::string place = fmt::format("the model {}", ModelDirectory(*settings).string());
  if (!other.empty()) place += fmt::format(", not {}", other);
  if (named != settings->named.end()) place += fmt::format(" ({})", named->second.place);
  settings->named.insert_or_assign(std::string(key),
                                   Settings::Named{.text = value, .place = std::move(place)});
}

// An option may be left out while it has its default.
std::string ValueOf(const learners::OptionSpec& option, const learners::OptionValues& values) {
  const auto found = values.find(option.name);
  return found == values.end() ? std::string(option.default_value) : found->second;
}

// The learner of *in_force and its options are those of the model. Those that it has not from the
// configuration are marked; options of another learner in there are of no use.
void MarkOptions(const Settings& settings, Settings* in_force) {
  const std::string below = fmt::format("{}.", kLearnerOptionsKey);
  const learners::OptionValues of_model = std::exchange(in_force->learner_options, {});
  const bool is_other = in_force->learner != settings.learner;
  if (is_other) {
    std::erase_if(in_force->named, [&](const auto& entry) { return entry.first.starts_with(below); });
  } else {
    in_force->learner_options = settings.learner_options;
  }
  const auto configured = learners::MakeLearner(in_force->learner, in_force->learner_options);
  if (!configured) return;
  const learners::OptionValues said = *learners::SplitOptions((*configured)->OptionsText());
  for (const learners::OptionSpec& option : learners::FindLearner(in_force->learner)->options) {
    const std::string value = ValueOf(option, of_model);
    const std::string other = ValueOf(option, said);
    if (value == other) continue;
    in_force->learner_options.insert_or_assign(std::string(option.name), value);
    Mark(below + std::string(option.name), value, is_other ? "" : other, in_force);
  }
}

}  // namespace

Result<Settings> SettingsInForce(const Settings& settings) {
  const std::filesystem::path dir = ModelDirectory(settings);
  if (const auto exists = CheckModelExists(dir); !exists) {
    if (exists.error().exit_code == kNoInput) return settings;
    return tl::unexpected(exists.error());
  }
  auto in_force = AsTheModelIs(dir, settings);
  if (!in_force) return in_force;
  for (const Setting& setting : AllSettings()) {
    const std::string value = setting.Text(*in_force);
    const std::string other = setting.Text(settings);
    if (value != other) Mark(setting.key(), value, other.empty() ? "empty" : other, &*in_force);
  }
  MarkOptions(settings, &*in_force);
  return in_force;
}

}  // namespace thresher::pipeline
