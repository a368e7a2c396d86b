// The description of one option: its name, type, range, default and help.
//
// Options of learners and batch solvers, settings and the numeric flags of commands are all described by it.
// Used by learners, settings and commands: options are checked, printed and documented (`thresher config`,
// `thresher learners`, docs/settings.md, docs/learner-options.md) through the members below and nowhere
// else. Thread-safety: plain values and pure functions.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace thresher::schema {

enum class OptionType {
  kNumber,
  kSwitch,  // true or false
  kText,
  kHeaderNames,  // names of mail headers, separated by commas; each may end in *
};

// As a range's end: every finite number is allowed.
inline constexpr double kNoLimit = std::numeric_limits<double>::max();

struct OptionSpec {
  std::string_view name = {};
  std::string_view default_value = {};
  OptionType type = OptionType::kNumber;
  // A number in [min, max], min itself excluded if min_excluded, whole numbers only if whole. "inf" is a
  // number if max is infinity. A text has so many bytes.
  double min = 0;
  double max = kNoLimit;
  bool min_excluded = false;
  bool whole = false;
  // If not empty, the value is one of these words, whatever the type.
  std::span<const std::string_view> choices = {};
  std::string_view help = {};  // one line

  // The one text that stands for all texts with the same value (numbers in their shortest exact form,
  // switches as true or false); nothing if `text` is not an allowed value.
  std::optional<std::string> Canonical(std::string_view text) const;

  // What a value must be: "a whole number from 1 to 100".
  std::string Expected() const;

  // What is wrong with `text`: `expected a whole number from 1 to 100, found "0"`.
  std::string Mismatch(std::string_view text) const;
};

// A number as Canonical writes it.
double ReadNumber(std::string_view canonical);

}  // namespace thresher::schema
