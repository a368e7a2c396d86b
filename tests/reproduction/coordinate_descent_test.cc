// Claims of Shalev-Shwartz & Tewari about coordinate descent on a random coordinate.
#include <gtest/gtest.h>

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

TEST(CoordinateDescent, ScdIsBelowItsRivals) {
  const Report report = Quick("coordinate-descent");
  const Panel& text = report.panels.front();
  const Panel& dense = report.panels.back();
  for (const Panel& panel : report.panels) {
    ExpectBelow(panel.At("SCD"), panel.At("DetCD"), 1);
    EXPECT_LT(panel.At("SCD, our defaults").y.back(), 1.001 * panel.At("SCD").y.back()) << panel.title;
  }
  EXPECT_LT(text.At("SCD").y.back(), 0.8 * text.At("DetCD").y.back());
  for (const char* const rival : {"TruncGrad", "SMIDAS"}) {
    EXPECT_LT(text.At("SCD").y.back(), 0.98 * text.At(rival).y.back()) << rival;
  }
  EXPECT_LT(dense.At("SMIDAS").y.back(), 0.98 * dense.At("TruncGrad").y.back());
}

}  // namespace
}  // namespace thresher::reproduction
