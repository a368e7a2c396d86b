// An experiment in its quick size, as the tests run it.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "reproduction/experiments.h"

namespace thresher::reproduction {

// Of synthetic data, or of those in `sets`.
inline Report Quick(std::string_view name, const std::string& sets = "") {
  tl::expected<Report, std::string> report = Run(name, {.size = Size::kQuick, .sets = sets});
  EXPECT_TRUE(report) << report.error();
  return report ? *report : Report{};
}

}  // namespace thresher::reproduction
