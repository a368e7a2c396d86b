// Claims of Carbonetto, Schmidt & de Freitas about the interior-point method.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

TEST(InteriorPointAccuracy, EndsClosestToTheExactSolutionAndIsLeastSensitive) {
  const Report report = Quick("interior-point-accuracy");
  const Table& table = report.tables[0];
  const double ours = table.At("interior point", "distance");
  for (const Row& row : table.rows) {
    if (row.name == "interior point") continue;
    EXPECT_LT(ours, 0.98 * row.values[0]) << row.name;
  }
  for (const Panel& panel : report.panels) {
    const auto spread = [](const Series& series) {
      const auto [least, most] = std::ranges::minmax(series.y);
      return most / least;
    };
    const double least_spread = spread(panel.At("interior point"));
    for (const Series& series : panel.series) {
      if (series.name == "interior point") continue;
      EXPECT_LT(least_spread, 0.98 * spread(series)) << panel.title << series.name;
    }
  }
}

TEST(InteriorPointShrinkage, TenPassesAreCloserToTheLassoThanOne) {
  const Report report = Quick("interior-point-shrinkage");
  const Table& table = report.tables[0];
  for (const char* const column : {"distance from exact", "size where exact is 0"}) {
    EXPECT_LT(table.At("after 10 passes", column), 0.8 * table.At("after 1 pass", column)) << column;
  }
}

}  // namespace
}  // namespace thresher::reproduction
