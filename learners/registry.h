// The table of learners: their names, options, sources and costs, and how to make one.
//
// Called by the pipeline for configuration, `thresher learners` and opening a model.
// To add a learner: one file with its rule, one line in specs.h. The conformance suite runs over this table.
// Thread-safety: immutable.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/learner.h"

namespace thresher::learners {

struct OptionSpec {
  std::string_view name;
  std::string_view default_value;
  // A number in [min, max] (min itself excluded if min_excluded, whole numbers only if whole), or, where
  // choices is not empty, one of these words.
  double min = 0;
  double max = 0;
  bool min_excluded = false;
  bool whole = false;
  std::span<const std::string_view> choices = {};
  std::string_view help;  // one line
};

// Option name → value as text.
using OptionValues = std::map<std::string, std::string, std::less<>>;

struct LearnerSpec {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view source;   // paper and section
  std::string_view cost;     // of one step
  std::span<const OptionSpec> options;
  std::unique_ptr<Learner> (*make)(const OptionValues& complete);
  // What is wrong with options that are each in range but not together; empty if nothing. May be null.
  std::string (*check)(const OptionValues& complete) = nullptr;
  // When it is a whole-model learner (Learner::Derive): "always", or with which options; empty = never.
  std::string_view whole_model = {};
};

std::span<const LearnerSpec> AllLearners();

// Null if there is none of that name.
const LearnerSpec* FindLearner(std::string_view name);

// A learner with `given` over its defaults. The error is one line that names the option and what was
// expected.
tl::expected<std::unique_ptr<Learner>, std::string> MakeLearner(std::string_view name,
                                                                const OptionValues& given);

// The learner whose Name() and OptionsText() are these; the inverse of persisting them.
tl::expected<std::unique_ptr<Learner>, std::string> RestoreLearner(std::string_view name,
                                                                   std::string_view options_text);

}  // namespace thresher::learners
