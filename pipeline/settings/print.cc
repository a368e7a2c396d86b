// Settings as a configuration file.
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

// A YAML string, whatever is in it.
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
  if (std::holds_alternative<Setting::FieldOf<std::vector<std::string>>>(setting.field)) {
    std::string list = "[";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      list += fmt::format("{}{}", list.size() > 1 ? ", " : "",
                          Quote(std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
    return list + ']';
  }
  if (std::holds_alternative<Setting::FieldOf<std::string>>(setting.field) && setting.choices.empty())
    return Quote(text);
  return text;
}

std::string Limits(const learners::OptionSpec& option) {
  if (!option.choices.empty()) return fmt::format("one of {}", fmt::join(option.choices, ", "));
  return fmt::format("{} {} to {}", option.min_excluded ? "above" : "from", option.min, option.max);
}

const Settings::Named* FindNamed(const Settings& settings, std::string_view key) {
  const auto found = settings.named.find(key);
  return found == settings.named.end() ? nullptr : &found->second;
}

// "name: value  # from PLACE"; a comment where nothing named it and it has its default.
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
    out << Wrap(fmt::format("{} ({}; default {})", option.help, Limits(option), option.default_value),
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

// With its help; indented where it stands below a section.
void PrintSetting(const Setting& setting, const Settings& settings, std::ostream& out) {
  const size_t dot = setting.key.find('.');
  const std::string indent = dot == std::string_view::npos ? "" : "  ";
  out << Wrap(fmt::format("{} Expected: {}; default: {}.", setting.help, setting.Expected(),
                          YamlValue(setting, Settings())),
              indent + '#');
  if (setting.key == kPresetKey) PrintPresets(out);
  const std::string value = YamlValue(setting, settings);
  out << Line(indent, setting.key.substr(dot + 1), value, value == YamlValue(setting, Settings()),
              FindNamed(settings, setting.key));
  if (setting.key == "learner.name") PrintLearnerOptions(settings, out);
}

}  // namespace

void PrintSettings(const Settings& settings, std::ostream& out) {
  out << "# Configuration of thresher: every setting and what it means. What is commented out has its "
         "default;\n"
         "# take the # before a name away to set it. A line \"section.name: value\" does as well.\n\n";
  std::string_view section;
  for (const Setting& setting : AllSettings()) {
    const size_t dot = setting.key.find('.');
    if (dot != std::string_view::npos && setting.key.substr(0, dot) != section) {
      section = setting.key.substr(0, dot);
      out << fmt::format("\n{}:\n", section);
    }
    PrintSetting(setting, settings, out);
  }
}

}  // namespace thresher::pipeline
