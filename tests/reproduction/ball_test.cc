// Claims of Duchi, Shalev-Shwartz, Singer & Chandra about projections onto the ℓ1-ball.
// bench/projection_bench.cc measures their claim that a tree is faster than a linear-time projection.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

TEST(BallOnline, HasLessLossAndFewerErrorsThanExponentiatedGradientAndIsSparse) {
  const Report report = Quick("ball-online");
  const Table& table = report.tables.front();
  for (const char* const figure : {"log-loss per example", "error %"}) {
    EXPECT_LT(table.At("synthetic, L1", figure), 0.98 * table.At("synthetic, EG", figure)) << figure;
  }
  EXPECT_LT(table.At("synthetic, L1", "% of seen"), 95);
  EXPECT_EQ(table.At("synthetic, EG", "% of seen"), 100);
}

// With true gradients both methods are about equal here, each at its best step size.
TEST(BallDigits, ProjectionZeroesWeightsAndIsBelowExponentiatedGradientWhereGradientsAreNoisy) {
  const Report report = Quick("ball-digits");
  const Table& table = report.tables.front();
  const std::string noisy = "z = 100, gradients of 1 % of the examples";
  EXPECT_LT(table.At(noisy + ", L1", "loss"), 0.8 * table.At(noisy + ", EG", "loss"));
  const std::string exact = "z = 30, true gradients";
  EXPECT_LT(table.At(exact + ", L1", "loss"), 1.02 * table.At(exact + ", EG", "loss"));
  for (const std::string& gradients : {noisy, exact}) {
    EXPECT_GT(table.At(gradients + ", L1", "zero weights %"), 10) << gradients;
    EXPECT_EQ(table.At(gradients + ", EG", "zero weights %"), 0) << gradients;
  }
}

TEST(BallText, ProjectionIsBelowExponentiatedGradient) {
  const Report report = Quick("ball-text");
  const Table& table = report.tables.front();
  for (const std::string gradients : {"full", "quarter", "1", "100"}) {
    EXPECT_LT(table.At("L1, " + gradients, "f − f*"), 0.8 * table.At("EG, " + gradients, "f − f*"))
        << gradients;
  }
}

TEST(BallSynthetic, ProjectedGradientIsNearSoonerThanTheInteriorPointMethod) {
  const Report report = Quick("ball-synthetic");
  const Table& table = report.tables.front();
  for (const Row& row : table.rows) {
    EXPECT_LT(table.At(row.name, "L1 line search, 1/100"), 0.5 * table.At(row.name, "interior point, 1/100"))
        << row.name;
  }
}

}  // namespace
}  // namespace thresher::reproduction
