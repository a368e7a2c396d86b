// The papers' experiments: one function each, in two sizes.
//
// To add one: a file with its function; its line in runs.h and in experiments.cc; its place in
// docs/reproduction/; a test of the paper's claim in tests/reproduction/. CMake finds the file. Called by
// main.cc and the tests. Thread-safety: each run is independent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reproduction/report.h"

namespace thresher::reproduction {

enum class Size {
  kQuick,  // takes seconds under sanitizers, and still shows which method is better
  kFull,   // as in the paper
};

struct Setting {
  Size size = Size::kFull;
  std::string sets = {};  // folder of the real data sets; may be empty

  template <class T>
  T Pick(T quick, T full) const {
    return size == Size::kQuick ? quick : full;
  }
};

struct Experiment {
  std::string_view name;
  std::string_view source;  // paper and figure
  Report (*run)(const Setting&);
};

std::span<const Experiment> AllExperiments();

// The error is one line: no such experiment, or data that cannot be read.
tl::expected<Report, std::string> Run(std::string_view name, const Setting& setting);

}  // namespace thresher::reproduction
