// The table of learners: their names, options, sources and costs, and how to make one.
//
// Called by the pipeline for configuration, `thresher learners` and opening a model.
// To add a learner: one file with its update rule (rule/update_rule.h) and one line in specs.h. The
// conformance suite runs over this table. Thread-safety: immutable.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/learner.h"
#include "schema/option.h"

namespace thresher::learners {

using schema::OptionSpec;

// Option name → value as text.
using OptionValues = std::map<std::string, std::string, std::less<>>;

// What is wrong with an option, or with several together.
struct OptionFault {
  std::string option;  // whose value is wrong
  std::string what;    // one line that names the option, what was expected and what was found; empty: nothing
};

// What is wrong with options that are each in range, but not together.
using CheckOptions = OptionFault (*)(const OptionValues& complete);

struct LearnerSpec {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view source;   // paper and section
  std::string_view cost;     // of one step
  std::span<const OptionSpec> options;
  std::unique_ptr<Learner> (*make)(const OptionValues& complete);
  CheckOptions check = nullptr;
  // When it is a whole-model learner (Learner::Derive): "always" or "with OPTION=VALUE"; empty = never.
  std::string_view whole_model = {};
};

std::span<const LearnerSpec> AllLearners();

// Null if there is none of that name.
const LearnerSpec* FindLearner(std::string_view name);

// What is wrong with `given` as options of the learner `name`, or with the name; nothing if it takes them.
std::optional<OptionFault> WrongOption(std::string_view name, const OptionValues& given);

// A learner with `given` over its defaults. The error is one line that names the option and what was
// expected.
tl::expected<std::unique_ptr<Learner>, std::string> MakeLearner(std::string_view name,
                                                                const OptionValues& given);

// The learner whose Name() and OptionsText() are these; the inverse of persisting them.
tl::expected<std::unique_ptr<Learner>, std::string> RestoreLearner(std::string_view name,
                                                                   std::string_view options_text);

}  // namespace thresher::learners
