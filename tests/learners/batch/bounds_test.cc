// Coordinate descent with bounds of the weights: it keeps them, and finds the least objective within them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

struct Bounds {
  double lower;
  double upper;
};

constexpr Bounds kBounds[] = {
    {0, MarginLoss::kInfinity}, {-MarginLoss::kInfinity, 0.1}, {-0.05, 0.2}, {-0.05, 100}, {0, 0}};

std::vector<Case> CasesWith(const OptionValues& common) {
  std::vector<Case> all;
  for (const char* step : {"local", "column", "bound"}) {
    for (const char* form : {"signed", "split"}) {
      all.push_back({.solver = "scd", .options = {{"step", step}, {"form", form}}});
    }
    if (step != std::string_view("local")) all.push_back({.solver = "detcd", .options = {{"step", step}}});
  }
  for (Case& each : all) each.options.insert(common.begin(), common.end());
  return all;
}

void ExpectLeast(const Case& each, const Examples& examples, const ElasticNetObjective& objective,
                 double least) {
  SCOPED_TRACE(Name(each));
  const auto solver = Make(each.solver, each.options, examples);
  double last = solver->Report().primal;
  for (int epoch = 0; epoch < 20000 && solver->Report().gap > 1e-9; ++epoch) {
    solver->Step();
    const Progress now = solver->Report();
    ASSERT_LE(now.primal, last + 1e-12);
    ASSERT_GE(now.gap, -1e-12);
    last = now.primal;
    for (const double w : solver->Weights()) {
      ASSERT_GE(w, objective.lower);
      ASSERT_LE(w, objective.upper);
    }
  }
  EXPECT_LE(solver->Report().gap, 1e-9);
  EXPECT_NEAR(solver->Report().primal, least, 1e-6);
}

TEST(Bounds, TheLeastObjectiveWithinThem) {
  const SmallProblem problem = SmallProblem::Random(7, 30, 8);
  for (const Bounds& bounds : kBounds) {
    const ElasticNetObjective objective = {
        .loss = {}, .l1 = 0.02, .l2 = 0, .lower = bounds.lower, .upper = bounds.upper};
    const double least = NaiveMinimum(problem.View(), objective);
    for (const Case& each : CasesWith({{"l1", "0.02"},
                                       {"lower", fmt::format("{}", bounds.lower)},
                                       {"upper", fmt::format("{}", bounds.upper)}})) {
      ExpectLeast(each, problem.View(), objective, least);
    }
  }
}

// Bounds on both sides are enough for a minimum; so is a penalty.
TEST(Bounds, WithOtherPenalties) {
  const SmallProblem problem = SmallProblem::Random(8, 30, 8);
  const OptionValues bounds = {{"lower", "-0.1"}, {"upper", "0.3"}};
  for (const char* l2 : {"0", "0.05"}) {
    OptionValues options = bounds;
    options.insert({{"l1", "0"}, {"l2", l2}});
    const ElasticNetObjective objective = {
        .loss = {}, .l1 = 0, .l2 = std::stod(l2), .lower = -0.1, .upper = 0.3};
    const double least = NaiveMinimum(problem.View(), objective);
    for (const char* solver : {"scd", "detcd"}) {
      ExpectLeast({.solver = solver, .options = options}, problem.View(), objective, least);
    }
  }
}

TEST(Bounds, AWarmStartIsBroughtWithinThem) {
  const SmallProblem problem = SmallProblem::Random(7, 30, 8);
  for (const char* form : {"signed", "split"}) {
    const auto solver = Make("scd", {{"form", form}, {"lower", "-0.1"}, {"upper", "0.3"}}, problem.View());
    ASSERT_TRUE(solver->WarmStart(std::vector<double>{1, -1, 0.2, 0, 9, -9, 0.3, -0.1}));
    EXPECT_EQ(WeightsOf(*solver), (std::vector<double>{0.3, -0.1, 0.2, 0, 0.3, -0.1, 0.3, -0.1}));
    solver->Step();
    for (const double w : solver->Weights()) EXPECT_EQ(w, std::clamp(w, -0.1, 0.3)) << form;
  }
}

// Steps of 0 say nothing of how far a longer one may go.
TEST(Bounds, AWeightThatOneHeldForLongStillMoves) {
  const SmallProblem problem = SmallProblem::Random(7, 30, 8);
  for (const char* form : {"signed", "split"}) {
    const auto solver = Make("scd", {{"form", form}, {"lower", "-0.1"}, {"upper", "0.1"}}, problem.View());
    for (int epoch = 0; epoch < 1200; ++epoch) solver->Step();
    const std::vector<double> least = WeightsOf(*solver);
    ASSERT_GT(std::ranges::count(least, 0.1) + std::ranges::count(least, -0.1), 2) << form;
    ASSERT_TRUE(solver->WarmStart(std::vector<double>(8, 0.0)));
    for (int epoch = 0; epoch < 200; ++epoch) solver->Step();
    for (size_t j = 0; j < least.size(); ++j) EXPECT_NEAR(solver->Weights()[j], least[j], 1e-6) << form;
  }
}

TEST(Bounds, MustAllowZero) {
  EXPECT_THAT(SolverOptionsText("scd", {{"lower", "0.1"}}).error(), testing::HasSubstr("from -inf to 0"));
  EXPECT_THAT(SolverOptionsText("detcd", {{"upper", "-1"}}).error(), testing::HasSubstr("at least 0"));
  EXPECT_THAT(SolverOptionsText("scd", {{"l1", "0"}, {"upper", "1"}}).error(),
              testing::HasSubstr("l1 and l2 are both 0"));
}

}  // namespace
}  // namespace thresher::learners::batch
