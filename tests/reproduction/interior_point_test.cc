// Claims of Carbonetto, Schmidt & de Freitas about the interior-point method.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

// At the paper's k0 = 50, by median and by mean. Where steps are shorter another method is ahead: one reading
// of the augmented Lagrangian.
TEST(InteriorPointAccuracy, IsClosestAtThePapersStepsAndIsLeastSensitive) {
  const Report report = Quick("interior-point-accuracy");
  const Table& table = report.tables[0];
  for (const char* const centre : {"median at 50", "mean at 50"}) {
    for (const Row& row : table.rows) {
      if (row.name == "interior point") continue;
      EXPECT_LT(table.At("interior point", centre), 0.98 * table.At(row.name, centre)) << row.name << centre;
    }
  }
  for (const char* const centre : {"median at 100", "median at 200", "mean at 200"}) {
    EXPECT_GT(table.At("interior point", centre), 1.05 * table.At("augmented Lagrangian, b/r", centre))
        << centre;
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
