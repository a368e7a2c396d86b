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

// As on the newsgroups of the full size. On MAGIC DetCD may be ahead, and which of SCD and the online
// learners is ahead differs between the sets and with SCD's step: that is not asserted.
TEST(CoordinateDescent, OnTextScdIsBelowDetCd) {
  const Report report = Quick("coordinate-descent");
  const Panel& text = report.panels.front();
  ExpectBelow(text.At("SCD"), text.At("DetCD"), 1);
  EXPECT_LT(text.At("SCD").y.back(), 0.8 * text.At("DetCD").y.back());
  for (const Panel& panel : report.panels) {
    EXPECT_LT(panel.At("SCD, our defaults").y.back(), 1.001 * panel.At("SCD").y.back()) << panel.title;
  }
}

// As on ARCENE and MAGIC04D.
TEST(CoordinateDescent, OnDenseExamplesSmidasIsBelowTruncatedGradient) {
  const Panel dense = Quick("coordinate-descent").panels.back();
  EXPECT_LT(dense.At("SMIDAS").y.back(), 0.98 * dense.At("TruncGrad").y.back());
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
