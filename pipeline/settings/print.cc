// Prints settings as a configuration file.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

// Lines of at most 100 columns, each beginning with `prefix`.
std::string Wrap(std::string_view text, std::string_view prefix) {
  constexpr size_t kColumns = 100;
  std::string wrapped;
  std::string line(prefix);
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (line.size() > prefix.size() && line.size() + 1 + end > kColumns) {
      wrapped += line + '\n';
      line = prefix;
    }
    line += ' ';
    line += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped + line + '\n';
}

// Any text as a YAML string.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string YamlValue(const Setting& setting, const Settings& settings) {
  std::string text = setting.Text(settings);
  if (setting.option.type == schema::OptionType::kHeaderNames) {
    std::string list = "[";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      list += fmt::format("{}{}", list.size() > 1 ? ", " : "",
                          Quote(std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
    return list + ']';
  }
  if (setting.option.type == schema::OptionType::kText) return Quote(text);
  return text;
}

const Settings::Named* FindNamed(const Settings& settings, std::string_view key) {
  const auto found = settings.named.find(key);
  return found == settings.named.end() ? nullptr : &found->second;
}

// "name: value  # from PLACE"; commented out if nothing set it and it has its default.
std::string Line(std::string_view indent, std::string_view name, std::string_view value, bool is_default,
                 const Settings::Named* named) {
  if (named == nullptr) return fmt::format("{}{}{}: {}\n", indent, is_default ? "#" : "", name, value);
  return fmt::format("{}{}: {}  # from {}\n", indent, name, value, Quote(named->place));
}

void PrintLearnerOptions(const Settings& settings, std::ostream& out) {
  const learners::LearnerSpec* const learner = learners::FindLearner(settings.learner);
  out << Wrap("Options of this learner.", "  #");
  out << "  options:\n";
  if (learner == nullptr) return;
  for (const learners::OptionSpec& option : learner->options) {
    out << Wrap(fmt::format("{}; {}; default: {}", option.help, option.Expected(), option.default_value),
                "    #");
    const auto named = settings.learner_options.find(option.name);
    const bool is_default = named == settings.learner_options.end();
    out << Line("    ", option.name, is_default ? std::string(option.default_value) : Quote(named->second),
                is_default, FindNamed(settings, fmt::format("{}.{}", kLearnerOptionsKey, option.name)));
  }
}

void PrintPresets(std::ostream& out) {
  for (const Preset& preset : AllPresets()) {
    out << fmt::format("#   {}: {}\n", preset.name, preset.help);
    for (const Preset::Value& value : preset.values)
      out << fmt::format("#     {}: {}\n", value.key, value.text);
  }
}

// One setting with its help, indented if it is below a section.
void PrintSetting(const Setting& setting, const Settings& settings, std::ostream& out) {
  const std::string indent = setting.section().empty() ? "" : "  ";
  const std::string default_value = YamlValue(setting, Settings());
  out << Wrap(
      fmt::format("{} Expected: {}; default: {}.", setting.option.help, setting.option.Expected(),
                  setting.option.default_value.empty() ? default_value : setting.option.default_value),
      indent + '#');
  if (setting.key() == kPresetKey) PrintPresets(out);
  const std::string value = YamlValue(setting, settings);
  out << Line(indent, setting.key().substr(setting.section().size()), value, value == default_value,
              FindNamed(settings, setting.key()));
  if (setting.key() == "learner.name") PrintLearnerOptions(settings, out);
}

}  // namespace

void PrintSettings(const Settings& settings, std::ostream& out) {
  out << "# Configuration of thresher: all settings and what they mean. A line that is commented out shows a "
         "default;\n"
         "# remove its # and change the value to set it. One line \"section.name: value\" is allowed, "
         "too.\n\n";
  std::string_view section;
  for (const Setting& setting : AllSettings()) {
    if (setting.section() != section) {
      section = setting.section();
      out << fmt::format("\n{}:\n", section.substr(0, section.size() - 1));
    }
    PrintSetting(setting, settings, out);
  }
}

}  // namespace thresher::pipeline
