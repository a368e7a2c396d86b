// One setting's value from and to text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

template <class Number>
std::optional<Number> Parse(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// Header names, perhaps with a trailing *.
bool IsHeaderPattern(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return c > ' ' && c < 127 && c != ':' && c != ','; });
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    items.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

// Reads `text` into a field of any type; false, with nothing changed, if it is not as expected.
struct Reader {
  const Setting& setting;
  std::string_view text;

  bool operator()(bool* field) const {
    const bool yes = text == "true" || text == "yes" || text == "on";
    if (!yes && text != "false" && text != "no" && text != "off") return false;
    *field = yes;
    return true;
  }
  template <class Number>
  bool SetNumber(Number* field) const {
    const std::optional<Number> number = Parse<Number>(text);
    if (!number ||
        !(static_cast<double>(*number) >= setting.min && static_cast<double>(*number) <= setting.max))
      return false;
    *field = *number;
    return true;
  }
  bool operator()(uint64_t* field) const { return SetNumber(field); }
  bool operator()(double* field) const { return SetNumber(field); }
  bool operator()(std::string* field) const {
    const bool is_missing =
        text.empty() && !setting.Text(Settings()).empty();  // of what is not empty by default
    if (is_missing || text.find('\0') != std::string_view::npos || (!setting.choices.empty() && !Choice()))
      return false;
    *field = text;
    return true;
  }
  bool operator()(std::vector<std::string>* field) const {
    std::vector<std::string> items = SplitAtCommas(text);
    if (!std::all_of(items.begin(), items.end(), IsHeaderPattern)) return false;
    *field = std::move(items);
    return true;
  }
  bool operator()(tokenizer::ValueScheme* field) const {
    const std::optional<size_t> choice = Choice();
    if (choice) *field = static_cast<tokenizer::ValueScheme>(*choice);
    return choice.has_value();
  }
  std::optional<size_t> Choice() const {
    const auto found = std::find(setting.choices.begin(), setting.choices.end(), text);
    if (found == setting.choices.end()) return std::nullopt;
    return static_cast<size_t>(found - setting.choices.begin());
  }
};

struct Writer {
  const Setting& setting;

  template <class T>
  std::string operator()(const T* field) const {
    return fmt::format("{}", *field);
  }
  std::string operator()(const std::vector<std::string>* field) const {
    return fmt::format("{}", fmt::join(*field, ","));
  }
  std::string operator()(const tokenizer::ValueScheme* field) const {
    return std::string(setting.choices[static_cast<size_t>(*field)]);
  }
};

struct Expectation {
  const Setting& setting;

  std::string operator()(Setting::FieldOf<bool>) const { return "true or false (yes, no, on, off)"; }
  std::string operator()(Setting::FieldOf<uint64_t>) const {
    return fmt::format("a whole number from {:.0f} to {:.0f}", setting.min, setting.max);
  }
  std::string operator()(Setting::FieldOf<double>) const {
    return fmt::format("a number from {} to {}", setting.min, setting.max);
  }
  std::string operator()(Setting::FieldOf<std::string>) const {
    return setting.choices.empty() ? "a text that is not empty" : Choices();
  }
  std::string operator()(Setting::FieldOf<std::vector<std::string>>) const {
    return "a list of header names (separated by commas in --set)";
  }
  std::string operator()(Setting::FieldOf<tokenizer::ValueScheme>) const { return Choices(); }
  std::string Choices() const { return fmt::format("one of {}", fmt::join(setting.choices, ", ")); }
};

}  // namespace

std::string Setting::Expected() const { return std::visit(Expectation{*this}, field); }

bool Setting::Set(Settings& settings, std::string_view text) const {
  return std::visit([&](auto field_of) { return Reader{*this, text}(field_of(settings)); }, field);
}

std::string Setting::Text(const Settings& settings) const {
  Settings copy = settings;  // fields are reached through a mutable Settings; this is not where time is spent
  return std::visit([&](auto field_of) { return Writer{*this}(field_of(copy)); }, field);
}

}  // namespace thresher::pipeline
