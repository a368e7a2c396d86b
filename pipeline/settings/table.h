// The table of all settings: each described as an option (schema/option.h), with the field that holds it.
//
// To add a setting: a field with its default in settings.h, one entry in table.cc. Loading, checks, `--set`,
// `thresher config` and docs/settings.md follow from the entry. Used by the files of this folder, the
// commands that print or document settings, the grid, and opening. Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/settings/settings.h"
#include "schema/option.h"

namespace thresher::pipeline {

struct Setting {
  template <class T>
  using FieldOf = std::function<T*(Settings&)>;
  using Field = std::variant<FieldOf<bool>, FieldOf<uint64_t>, FieldOf<double>, FieldOf<std::string>,
                             FieldOf<std::vector<std::string>>, FieldOf<tokenizer::ValueScheme>>;

  // The name is the key, "section.name" or kPresetKey. The default is the field's; default_value is empty, or
  // says in words what depends on the environment. The choices of an enum are in the order of its values.
  schema::OptionSpec option;
  Field field;
  // A field of text then holds a path: Set puts the home directory for the ~ of a leading "~/".
  bool is_path = false;

  std::string_view key() const { return option.name; }
  // Empty for kPresetKey.
  std::string_view section() const { return key().substr(0, key().rfind('.') + 1); }
  // Sets the field; false, with nothing changed, if `text` is not as expected.
  bool Set(Settings& settings, std::string_view text) const;
  // The inverse: the value as Set reads it.
  std::string Text(const Settings& settings) const;
};

// In the order in which they are printed, a section's settings together.
std::span<const Setting> AllSettings();

// Null if there is none of that key.
const Setting* FindSetting(std::string_view key);

// The options of the learner are not in the table; their keys are learner.options.NAME.
inline constexpr std::string_view kLearnerOptionsKey = "learner.options";

// The one setting without a section.
inline constexpr std::string_view kPresetKey = "preset";

// `unknown setting "featurs.urls"; did you mean "features.urls"?`
std::string UnknownSetting(std::string_view key);

// Sets one setting or learner option by its key and records where it was given. The error is one line that
// begins with the place.
Result<void> SetByKey(std::string_view key, const Settings::Named& named, Settings* settings);

}  // namespace thresher::pipeline
