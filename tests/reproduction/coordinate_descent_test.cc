// Claims of Shalev-Shwartz & Tewari about coordinate descent on a random coordinate.
#include <gtest/gtest.h>

#include <cmath>

#include "reproduction/batch_run.h"
#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

// At every point of `theirs` after the first step of `ours`.
void ExpectBelow(const Series& ours, const Series& theirs, double margin) {
  for (size_t i = 0; i < theirs.x.size(); ++i) {
    if (theirs.x[i] < ours.x.at(1)) continue;
    EXPECT_LT(ValueAt(ours, theirs.x[i]), margin * theirs.y[i])
        << ours.name << " against " << theirs.name << " after " << theirs.x[i];
  }
}

// As on the newsgroups of the full size: with the curvature of each column SCD is far below DetCD and below
// its own form as printed, and that form is above the online learners.
TEST(CoordinateDescent, OnTextItIsTheStepThatDecides) {
  const Panel text = Quick("coordinate-descent").panels.front();
  const auto end = [&](const char* name) { return text.At(name).y.back(); };
  ExpectBelow(text.At("SCD, column steps"), text.At("DetCD, column steps"), 1);
  ExpectBelow(text.At("SCD, as printed"), text.At("DetCD, as printed"), 1);
  EXPECT_LT(end("SCD, column steps"), 0.8 * end("DetCD, column steps"));
  EXPECT_LT(end("SCD, column steps"), 0.6 * end("SCD, as printed"));
  EXPECT_GT(end("SCD, as printed"), 1.2 * end("TruncGrad"));
  for (const Series& series : text.series) EXPECT_LE(end("SCD, our steps"), series.y.back()) << series.name;
}

// As on MAGIC04D.
TEST(CoordinateDescent, OnDenseExamplesSmidasIsBelowTruncatedGradient) {
  const Panel dense = Quick("coordinate-descent-dense").panels.front();
  EXPECT_LT(dense.At("SMIDAS").y.back(), 0.98 * dense.At("TruncGrad").y.back());
  EXPECT_LT(dense.At("SCD, our steps").y.back(), 1.001 * dense.At("SCD, column steps").y.back());
}

// On a9a and w8a, too.
TEST(CoordinateDescent, RunsStayBelowTheBoundsOfTheTheorems) {
  const Report report = Quick("coordinate-descent-bounds");
  for (const Row& row : report.tables.front().rows) {
    const double bound = row.values[3];
    EXPECT_LE(row.values[1], bound) << row.name << ' ' << row.values[0];
    if (!std::isnan(row.values[2])) {
      EXPECT_LE(row.values[2], bound) << row.name << ' ' << row.values[0];
      EXPECT_GT(row.values[2], 0);
    }
  }
  EXPECT_GE(report.tables.front().rows.size(), 5U);
}

}  // namespace
}  // namespace thresher::reproduction
