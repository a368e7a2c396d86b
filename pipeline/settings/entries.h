// Entries of the table of settings, by the type of their fields.
//
// Used by the files of this folder that have parts of the table. Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/settings/table.h"

namespace thresher::pipeline::entries {

using schema::OptionType;
using S = Settings;
using Key = std::string_view;
using Help = std::string_view;

struct Range {
  double min;
  double max;
};

inline constexpr double kMany = 1e12;
inline constexpr double kManyBytes = 1e15;
inline constexpr double kAWeek = 7 * 24 * 3600;

inline Setting Switch(Key key, Setting::FieldOf<bool> field, Help help) {
  return {{.name = key, .type = OptionType::kSwitch, .help = help}, std::move(field)};
}
inline Setting Number(Key key, Setting::FieldOf<double> field, Range range, Help help) {
  return {{.name = key, .min = range.min, .max = range.max, .help = help}, std::move(field)};
}
inline Setting Whole(Key key, Setting::FieldOf<uint64_t> field, Range range, Help help) {
  return {{.name = key, .min = range.min, .max = range.max, .whole = true, .help = help}, std::move(field)};
}
inline Setting Word(Key key, Setting::Field field, std::span<const std::string_view> choices, Help help) {
  return {{.name = key, .choices = choices, .help = help}, std::move(field)};
}
inline Setting MaybeEmptyText(Key key, Setting::FieldOf<std::string> field, Help help) {
  return {{.name = key, .type = OptionType::kText, .help = help}, std::move(field)};
}
inline Setting Text(Key key, Setting::FieldOf<std::string> field, Help help) {
  return {{.name = key, .type = OptionType::kText, .min = 1, .help = help}, std::move(field)};
}
// Of a file; may be empty. The help says what a leading ~/ stands for.
inline Setting Path(Key key, Setting::FieldOf<std::string> field, Help help) {
  Setting setting = MaybeEmptyText(key, std::move(field), help);
  setting.is_path = true;
  return setting;
}
inline Setting HeaderNames(Key key, Setting::FieldOf<std::vector<std::string>> field, Help help) {
  return {{.name = key, .type = OptionType::kHeaderNames, .help = help}, std::move(field)};
}

}  // namespace thresher::pipeline::entries

namespace thresher::pipeline {

// Parts of the table.
std::vector<Setting> ServeSettingsTable();
std::vector<Setting> MilterSettingsTable();
std::vector<Setting> ClusterSettingsTable();

}  // namespace thresher::pipeline
