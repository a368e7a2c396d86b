// The papers' experiments: one function each, in two sizes.
//
// To add one: a file with its function, its line in experiments.cc and in CMakeLists.txt, its place in
// docs/reproduction.md, and a test of what it claims in tests/reproduction/. Called by main.cc and the tests.
// Thread-safety: each run is on its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reproduction/report.h"

namespace thresher::reproduction {

enum class Size {
  kQuick,  // seconds under sanitizers, and still shows the direction
  kFull,   // the paper's
};

struct Setting {
  Size size = Size::kFull;
  std::string sets = {};  // folder of the real data sets; empty: there are none

  template <class T>
  T Pick(T quick, T full) const {
    return size == Size::kQuick ? quick : full;
  }
};

struct Experiment {
  std::string_view name;
  std::string_view source;  // paper and figure
  bool needs_sets;          // for its full size
  Report (*run)(const Setting&);
};

std::span<const Experiment> AllExperiments();

// The error is one line: no such experiment, or data that cannot be read.
tl::expected<Report, std::string> Run(std::string_view name, const Setting& setting);

}  // namespace thresher::reproduction
