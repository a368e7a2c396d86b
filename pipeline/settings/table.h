// The table of all settings: key, field, range and help, and how a value is read from and written as text.
//
// To add a setting: a field with its default in settings.h, one line in table.cc. Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct Setting {
  template <class T>
  using FieldOf = T* (*)(Settings&);
  using Field = std::variant<FieldOf<bool>, FieldOf<uint64_t>, FieldOf<double>, FieldOf<std::string>,
                             FieldOf<std::vector<std::string>>, FieldOf<tokenizer::ValueScheme>>;

  std::string_view key;  // "section.name", or kPresetKey
  Field field;
  std::string_view help;
  double min = 0;  // of numbers
  double max = 0;
  std::vector<std::string_view> choices = {};  // of words; for an enum, in the order of its values

  // "expected a number between 0 and 1"
  std::string Expected() const;
  // Sets the field; false, with nothing changed, if `text` is not as expected.
  bool Set(Settings& settings, std::string_view text) const;
  // The inverse: the value as Set reads it.
  std::string Text(const Settings& settings) const;
};

// In the order in which they are printed, a section's settings together.
std::span<const Setting> AllSettings();

// Null if there is none of that key.
const Setting* FindSetting(std::string_view key);

// The learner's own options are no settings of the table: they are learner.options.NAME.
inline constexpr std::string_view kLearnerOptionsKey = "learner.options";

// The one setting without a section.
inline constexpr std::string_view kPresetKey = "preset";

// `unknown setting "featurs.urls"; did you mean "features.urls"?`
std::string UnknownSetting(std::string_view key);

// Sets one setting or learner option by its key and notes what named it. The error is one line that begins
// with the place.
Result<void> SetByKey(std::string_view key, const Settings::Named& named, Settings* settings);

}  // namespace thresher::pipeline
