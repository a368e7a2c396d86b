// Runs an experiment in its quick size.
//
// Used by the tests of this folder. Thread-safety: each run is independent.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "reproduction/experiments.h"

namespace thresher::reproduction {

// On synthetic data, or on the data sets in the folder `sets`.
inline Report Quick(std::string_view name, const std::string& sets = "") {
  tl::expected<Report, std::string> report = Run(name, {.size = Size::kQuick, .sets = sets});
  EXPECT_TRUE(report) << report.error();
  return report ? *report : Report{};
}

}  // namespace thresher::reproduction
