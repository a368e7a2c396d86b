// Claims of Carbonetto, Schmidt & de Freitas about the interior-point method.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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

// The proposition asks that σ_k goes to 0; with σ = ½ the barrier falls too slowly to end as near.
TEST(InteriorPointShrinkage, IsCloserIfTheCentringGoesToZero) {
  const Report report = Quick("interior-point-shrinkage");
  const Table& table = report.tables[0];
  for (const char* const column : {"distance from exact", "size where exact is 0"}) {
    EXPECT_LT(table.At("after 100 passes, σ_k → 0", column), 0.8 * table.At("after 100 passes", column));
  }
}

TEST(InteriorPointConstraints, NearsTheSolutionAndItsMultipliersIfTheCentringGoesToZero) {
  const Report report = Quick("interior-point-constraints");
  const Table& table = report.tables[0];
  for (const std::string problem : {"x ≥ 0, Σ x ≤ 2, ", "x ≥ 0, ‖x‖² ≤ 1, "}) {
    for (const char* const schedule : {"σ_k = ½/√(1 + k/50)", "σ_k = ½/(1 + k/50)"}) {
      for (const std::string of : {"x", "z"}) {
        const double end = table.At(problem + schedule, of + ", k = 10000");
        EXPECT_LT(end, 0.4 * table.At(problem + schedule, of + ", k = 1000")) << problem << schedule << of;
        EXPECT_LT(end, 0.5 * table.At(problem + "σ = ½", of + ", k = 10000")) << problem << schedule << of;
      }
    }
  }
}

}  // namespace
}  // namespace thresher::reproduction
