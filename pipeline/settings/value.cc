// One setting's field from and to text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "pipeline/settings/places.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    items.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

// Puts a value, in its canonical form, into a field of any type.
struct Reader {
  const schema::OptionSpec& option;
  std::string_view canonical;

  void operator()(bool* field) const { *field = canonical == "true"; }
  void operator()(uint64_t* field) const {
    std::from_chars(canonical.data(), canonical.data() + canonical.size(), *field);
  }
  void operator()(double* field) const { *field = schema::ReadNumber(canonical); }
  void operator()(std::string* field) const { *field = canonical; }
  void operator()(std::vector<std::string>* field) const { *field = SplitAtCommas(canonical); }
  void operator()(tokenizer::ValueScheme* field) const {
    const auto found = std::ranges::find(option.choices, canonical);
    *field = static_cast<tokenizer::ValueScheme>(found - option.choices.begin());
  }
};

struct Writer {
  const schema::OptionSpec& option;

  template <class T>
  std::string operator()(const T* field) const {
    return fmt::format("{}", *field);
  }
  std::string operator()(const std::vector<std::string>* field) const {
    return fmt::format("{}", fmt::join(*field, ","));
  }
  std::string operator()(const tokenizer::ValueScheme* field) const {
    return std::string(option.choices[static_cast<size_t>(*field)]);
  }
};

}  // namespace

bool Setting::Set(Settings& settings, std::string_view text) const {
  std::optional<std::string> canonical = option.Canonical(text);
  if (!canonical) return false;
  if (is_path && canonical->starts_with("~/")) canonical->replace(0, 1, HomeFolder());
  std::visit([&](const auto& field_of) { Reader{option, *canonical}(field_of(settings)); }, field);
  return true;
}

std::string Setting::Text(const Settings& settings) const {
  Settings copy = settings;  // fields are reached through a mutable Settings; this is not where time is spent
  return std::visit([&](const auto& field_of) { return Writer{option}(field_of(copy)); }, field);
}

}  // namespace thresher::pipeline
