// Claims of Duchi, Shalev-Shwartz, Singer & Chandra about projections onto the ℓ1-ball.
// bench/projection_bench.cc measures their claim that a tree is faster than a linear-time projection.
#include <gtest/gtest.h>

#include <string>

#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

// Which has less loss differs between the sets of the full size.
TEST(BallOnline, ProjectionErrsLessThanExponentiatedGradientAndIsSparse) {
  const Report report = Quick("ball-online");
  const Table& table = report.tables.front();
  EXPECT_LT(table.At("synthetic, L1", "error %"), 0.98 * table.At("synthetic, EG", "error %"));
  EXPECT_LT(table.At("synthetic, L1", "% of seen"), 95);
  EXPECT_EQ(table.At("synthetic, EG", "% of seen"), 100);
}

// Which has less loss depends on z, on the number of gradients and on the images: on the digits of the full
// size EG is ahead where synthetic ones have projection ahead.
TEST(BallDigits, ProjectionZeroesWeightsAndExponentiatedGradientNone) {
  const Report report = Quick("ball-digits");
  const Table& table = report.tables.front();
  for (const std::string gradients :
       {"z = 100, gradients of 1 % of the examples", "z = 30, true gradients"}) {
    EXPECT_GT(table.At(gradients + ", L1", "zero weights %"), 10) << gradients;
    EXPECT_EQ(table.At(gradients + ", EG", "zero weights %"), 0) << gradients;
  }
}

// Which is ahead depends on the documents: on the posts of the full size it is EG but for gradients of a
// quarter, on synthetic text it is projection.
TEST(BallText, BothApproachTheMinimum) {
  const Report report = Quick("ball-text");
  for (const Panel& panel : report.panels) {
    for (const Series& series : panel.series) {
      EXPECT_LT(series.y.back(), 0.75 * series.y.front()) << series.name;
      EXPECT_GE(series.y.back(), 0) << series.name;
    }
  }
}

// As on the full size: to any share of the first distance, and after any share of the work.
TEST(BallSynthetic, ProjectedGradientIsNearSoonerThanTheInteriorPointMethod) {
  const Report report = Quick("ball-synthetic");
  const Table& reads = report.tables[0];
  const Table& distances = report.tables[1];
  for (const std::string problem : {"least squares, n = 60, ", "logistic regression, n = 60, "}) {
    for (const char* const method : {"L1 line search", "L1 batch"}) {
      for (const char* const share : {"1/3", "1/10", "1/30", "1/100", "1/10,000"}) {
        EXPECT_LT(reads.At(problem + method, share), reads.At(problem + "interior point", share))
            << problem << method << " to " << share;
      }
      for (const char* const share : {"1/30", "1/10", "1/3"}) {
        EXPECT_LT(distances.At(problem + method, share), distances.At(problem + "interior point", share))
            << problem << method << " after " << share;
      }
    }
  }
}

}  // namespace
}  // namespace thresher::reproduction
