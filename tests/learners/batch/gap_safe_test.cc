// Bounds and screening against the solvers that do without.
#include "learners/batch/gap_safe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "learners/batch/extrapolation.h"
#include "learners/batch/support_gram.h"
#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

struct Twin {
  const char* solver;
  OptionValues options;
};

std::vector<Twin> ScreeningTwins() {
  std::vector<Twin> all;
  for (const char* loss : {"logistic", "squared"}) {
    for (const char* l2 : {"0", "0.05"}) {
      const OptionValues options = {{"loss", loss}, {"l1", "0.03"}, {"l2", l2}};
      all.push_back({"scd", options});
      all.push_back({"prox-newton", options});
    }
    all.push_back({"scd", {{"loss", loss}, {"l1", "0.03"}, {"form", "split"}, {"order", "cyclic"}}});
  }
  return all;
}

std::unique_ptr<Solver> Solved(const Twin& twin, const char* screening, const Examples& examples,
                               std::span<const double> start = {}) {
  OptionValues options = twin.options;
  options["screening"] = screening;
  auto solver = Make(twin.solver, options, examples);
  if (!start.empty()) solver->WarmStart(start);
  for (int epoch = 0; epoch < 5000 && solver->Report().gap > 1e-11; ++epoch) solver->Step();
  return solver;
}

// Many more features than the minimum needs, so that most of them are left out on the way.
TEST(GapSafe, ScreenedSolversEndWhereTheirTwinsDo) {
  for (const uint64_t seed : {21U, 22U, 23U}) {
    const SmallProblem problem = SmallProblem::Random(seed, 40, 120);
    for (const Twin& twin : ScreeningTwins()) {
      SCOPED_TRACE(fmt::format("{} {} {}", twin.solver, twin.options.at("loss"), seed));
      const auto without = Solved(twin, "off", problem.View());
      const auto with = Solved(twin, "on", problem.View());
      EXPECT_LE(with->Report().gap, 1e-10);
      EXPECT_NEAR(with->Report().primal, without->Report().primal, 1e-9);
      EXPECT_LE(with->Report().primal - with->Report().gap, without->Report().primal + 1e-12);
      const std::vector<double> start(problem.View().rows.width, 0.3);
      EXPECT_NEAR(Solved(twin, "on", problem.View(), start)->Report().primal, without->Report().primal, 1e-9);
    }
  }
}

// At every bound on the way to the minimum, what is left out is 0 at the minimum, and in the end much is.
TEST(GapSafe, LeavesOutOnlyWhatIsZeroAtTheMinimum) {
  for (const double l2 : {0.0, 0.05}) {
    const SmallProblem problem = SmallProblem::Random(24, 40, 120);
    const Examples examples = problem.View();
    const ElasticNetObjective objective = {.loss = {}, .l1 = 0.03, .l2 = l2};
    const OptionValues options = {{"l1", "0.03"}, {"l2", fmt::format("{}", l2)}, {"screening", "off"}};
    const auto minimum = Solved({"prox-newton", options}, "off", examples);
    const auto solver = Make("scd", options, examples);
    GapSafe safe(examples, objective);
    const std::vector<double> zeros(examples.rows.width);
    for (int epoch = 0; epoch < 400; ++epoch) {
      solver->Step();
      std::vector<double> margins(examples.rows.size());
      ComputeMargins(examples.rows, solver->Weights(), margins);
      safe.Offer(objective.DualVariables(examples, margins));
      const double primal = solver->Report().primal;
      ASSERT_LE(safe.bound(), minimum->Report().primal + 1e-12);
      safe.LeaveOut(primal, zeros);
      for (size_t j = 0; j < zeros.size(); ++j) {
        ASSERT_TRUE(safe.IsLeft(j) || minimum->Weights()[j] == 0) << j << " in epoch " << epoch;
      }
    }
    EXPECT_LT(safe.Left().size(), zeros.size() / 2);
    EXPECT_GE(safe.Left().size(), CountNonzeros(minimum->Weights()));
  }
}

// The dual variables of the margins show the gap when the objective has long been at its minimum. Those of
// Newton's expansion show it earlier.
TEST(GapSafe, TheBoundOfProxNewtonIsNearTheMinimumEarlier) {
  for (const uint64_t seed : {31U, 32U, 33U}) {
    const SmallProblem problem = SmallProblem::Random(seed, 200, 30);
    const OptionValues options = {{"l1", "0.0005"}};
    const Twin twin = {"prox-newton", options};
    const double minimum = Solved(twin, "on", problem.View())->Report().primal;
    const auto first_below = [&](const char* screening, auto distance) {
      OptionValues all = options;
      all["screening"] = screening;
      const auto solver = Make("prox-newton", all, problem.View());
      for (int epoch = 1; epoch < 100; ++epoch) {
        solver->Step();
        if (distance(solver->Report()) < 1e-3 * minimum) return epoch;
      }
      return 100;
    };
    const auto gap = [](const Progress& progress) { return progress.gap; };
    EXPECT_LE(first_below("on", gap), first_below("off", gap)) << seed;
    const auto bound = [&](const Progress& progress) { return minimum - (progress.primal - progress.gap); };
    const auto objective = [&](const Progress& progress) { return progress.primal - minimum; };
    EXPECT_LE(first_below("on", bound), first_below("on", objective) + 2) << seed;
  }
}

TEST(Extrapolation, FindsTheLimitOfALinearIteration) {
  const std::vector<double> limit = {3, -1, 2, 0.5};
  std::vector<double> off = {1, 1, 1, 1};
  Extrapolation history(4);
  for (size_t k = 0; k < 9; ++k) {
    std::vector<double> now = limit;
    for (size_t i = 0; i < 4; ++i) now[i] += off[i];
    history.Keep(k, now);
    EXPECT_EQ(history.After(k).empty(), k < 5);
    for (size_t i = 0; i < 4; ++i) off[i] *= 0.9 - 0.15 * static_cast<double>(i);
  }
  const std::vector<double> found = history.After(8);
  ASSERT_EQ(found.size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], limit[i], 1e-6);
}

TEST(Extrapolation, HasNoLimitOfVectorsThatStandStill) {
  Extrapolation history(2);
  for (size_t k = 0; k < 6; ++k) history.Keep(k, std::vector<double>{1, 2});
  EXPECT_TRUE(history.After(5).empty());
}

TEST(SupportGram, FollowsSlopesAsColumnsDo) {
  const SmallProblem problem = SmallProblem::Random(41, 30, 12);
  const Examples examples = problem.View();
  std::vector<double> h(30);
  std::vector<double> r(30);
  for (size_t i = 0; i < 30; ++i) {
    h[i] = 0.1 + 0.01 * static_cast<double>(i);
    r[i] = std::sin(static_cast<double>(i));
  }
  const std::vector<uint32_t> support = {7, 2, 9};
  SupportGram gram;
  EXPECT_FALSE(gram);
  gram.Build(examples, support, h, r);
  ASSERT_TRUE(gram);
  for (const auto& [j, step] : {std::pair(7U, 0.5), std::pair(2U, -2.0), std::pair(7U, 0.25)}) {
    gram.Move(j, step);
    const SparseLines::Line column = examples.columns[j];
    for (size_t k = 0; k < column.size(); ++k) {
      r[column.indices[k]] += h[column.indices[k]] * step * static_cast<double>(column.values[k]);
    }
  }
  for (const uint32_t j : support) EXPECT_NEAR(gram.SlopeOf(j), Dot(examples.columns[j], r), 1e-12);
}

}  // namespace
}  // namespace thresher::learners::batch
