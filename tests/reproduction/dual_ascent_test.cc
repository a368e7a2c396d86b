// Claims of Shalev-Shwartz & Zhang about stochastic dual coordinate ascent.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "reproduction/batch_run.h"
#include "tests/reproduction/quick.h"

namespace thresher::reproduction {
namespace {

TEST(DualAscent, RandomOrderBeatsCyclic) {
  const Report report = Quick("dual-ascent-order");
  const Panel& panel = report.panels.front();
  for (const char* const random : {"at random", "new order each pass"}) {
    for (const char* const cyclic : {"in turn", "in turn, class by class"}) {
      EXPECT_LT(panel.At(random).y.back(), 0.1 * panel.At(cyclic).y.back()) << random << ", " << cyclic;
    }
  }
}

TEST(DualAscent, IsBelowSgd) {
  const Report report = Quick("dual-ascent-sgd");
  for (const Panel& panel : report.panels) {
    for (const double passes : {2.0, 5.0, 10.0}) {
      EXPECT_LT(ValueAt(panel.At("SDCA"), passes), 0.5 * ValueAt(panel.At("SGD"), passes)) << panel.title;
    }
  }
}

// Batches need fewer steps, but more passes.
TEST(DualAscent, LargeBatchesTakeFewerStepsThanSdca) {
  const Report report = Quick("dual-ascent-batches");
  const Table& table = report.tables.front();
  EXPECT_LT(table.At("ASDCA, m = 100", "steps"), 0.5 * table.At("SDCA", "steps"));
  EXPECT_GT(table.At("ASDCA, m = 100", "passes"), table.At("SDCA", "passes"));
}

TEST(DualAscent, BatchesTakeFewerStepsInAllRegimes) {
  const Report report = Quick("dual-ascent-regimes");
  const Table& table = report.tables.front();
  for (const std::string regime : {"γλn = 1/m", "γλn = 1", "γλn = m"}) {
    EXPECT_LT(table.At(regime + ", ASDCA", "steps"), table.At(regime + ", SDCA", "steps")) << regime;
    EXPECT_LT(table.At(regime + ", AGD", "steps"), table.At(regime + ", ASDCA", "steps")) << regime;
  }
}

TEST(DualAscent, TheDualMayBeSolvedAndThePrimalNot) {
  const Report report = Quick("dual-ascent-example");
  const Table& table = report.tables.front();
  for (const auto& [name, epsilon] :
       {std::pair("1e-01", 1e-1), std::pair("1e-02", 1e-2), std::pair("1e-03", 1e-3)}) {
    EXPECT_LE(table.At(name, "dual, at 0"), epsilon);
    EXPECT_GE(table.At(name, "primal, at 0"), 1 - epsilon);
  }
}

// As on the newsgroups.
TEST(DualAscent, RunsStayBelowTheBoundsOfTheMainLemma) {
  const Report report = Quick("dual-ascent-bounds");
  int bounded = 0;
  for (const Row& row : report.tables.front().rows) {
    const bool smooth = row.name.starts_with("smoothed");
    const double gap = row.values[smooth ? 1 : 2];
    if (std::isnan(row.values[3])) continue;
    EXPECT_GT(gap, 0) << row.name << ' ' << row.values[0];
    EXPECT_LT(gap, row.values[3]) << row.name << ' ' << row.values[0];
    ++bounded;
  }
  EXPECT_GE(bounded, 8);
}

TEST(DualAscent, SmoothingTheHingeIsFasterAndAddsFewErrors) {
  const Report report = Quick("dual-ascent-smoothing");
  const Table& table = report.tables.front();
  const std::string passes = "passes to a gap of 1e-4";
  EXPECT_LT(table.At("1", passes), 0.8 * table.At("0.01", passes));
  EXPECT_LT(table.At("0.01", passes), table.At("0", passes));
  const std::string errors = "errors on held-out examples, %";
  for (const char* const gamma : {"0.01", "0.1", "1"}) {
    EXPECT_NEAR(table.At(gamma, errors), table.At("0", errors), 2) << gamma;
  }
}

// Nearer the minimum FISTA is ahead of it there.
TEST(DualAscent, ProxSdcaIsNearTheL1MinimumSoonerThanFistaAndScdAsPrinted) {
  const Report report = Quick("dual-ascent-l1");
  const Table& table = report.tables.front();
  const char* const row = "synthetic, 1e-02";
  for (const char* const rival : {"FISTA", "SCD, as printed"}) {
    EXPECT_LT(table.At(row, "Prox-SDCA"), 0.5 * table.At(row, rival)) << rival;
  }
}

}  // namespace
}  // namespace thresher::reproduction
