// thresher config: all settings with their defaults, or the presets.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/opening/in_force.h"
#include "pipeline/settings/presets.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct ConfigFlags {
  ModelFlags model;
  bool effective = false;
  bool presets = false;
  bool json = false;
};

void PrintPresetsText() {
  for (const Preset& preset : AllPresets()) {
    fmt::print("{}\n  {}\n", preset.name, preset.help);
    for (const Preset::Value& value : preset.values) fmt::print("    {}: {}\n", value.key, value.text);
  }
}

void PrintPresetsJson() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Preset& preset : AllPresets()) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const Preset::Value& value : preset.values) values[std::string(value.key)] = value.text;
    all.push_back({{"name", preset.name}, {"help", preset.help}, {"values", std::move(values)}});
  }
  WriteJson(all);
}

Result<int> Config(const ConfigFlags& flags) {
  if (flags.presets) {
    (flags.json ? PrintPresetsJson : PrintPresetsText)();
    return 0;
  }
  // The defaults are printed without reading a file: error messages about a broken one refer to this command.
  const Result<Settings> settings = flags.effective ? flags.model.Resolve() : Settings();
  if (!settings) return tl::unexpected(settings.error());
  if (auto valid = settings->ValidateNewLearner(); !valid) return tl::unexpected(valid.error());
  const Result<Settings> in_force = flags.effective ? SettingsInForce(*settings) : settings;
  if (!in_force) {
    fmt::print(stderr, "thresher: {}; what follows is of the configuration alone\n",
               Printable(in_force.error().message));
  }
  std::ostringstream text;
  PrintSettings(in_force ? *in_force : *settings, text);
  fmt::print("{}", text.str());
  return 0;
}

}  // namespace

void AddConfig(CommandLine& line) {
  Command command = line.Add("config", "Print all settings with their defaults, as a configuration file");
  ConfigFlags& flags = command.Runs(Config);
  flags.model.AddTo(command);
  command.Add(
      "--effective", &flags.effective,
      "Print the values in force instead, and where each was set: configuration file, preset or command "
      "line; or, if there is a model that was made with another value and keeps it, the model");
  for (const char* const flag : {"--config", "--preset", "--store", "--model", "--set"})
    command.Find(flag).Needs("--effective");
  command.Add("--presets", &flags.presets, "Print the presets instead").Excludes({"--effective"});
  command.Add("--json", &flags.json, "Print the presets as JSON").Needs("--presets");
}

}  // namespace thresher::pipeline
