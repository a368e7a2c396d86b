// Every batch solver reaches the minimum of its objective, and its gap is a bound all the way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

std::vector<Case> SdcaCases() {
  std::vector<Case> all;
  for (const char* loss : {"logistic", "squared", "hinge", "smoothed-hinge", "absolute"}) {
    for (const char* l1 : {"0", "0.05"}) {
      for (const char* order : {"permuted", "sampled", "cyclic"}) {
        for (const char* norm : {"l2", "low-linf"}) {
          const bool smooth = std::string_view(loss) != "hinge" && std::string_view(loss) != "absolute";
          all.push_back(
              {.solver = "sdca",
               .options = {{"loss", loss}, {"l1", l1}, {"l2", "0.05"}, {"order", order}, {"norm", norm}},
               .gap = smooth ? 1e-9 : 1e-6,
               .epochs = 20000});
        }
      }
    }
  }
  return all;
}

std::vector<Case> ScdCases() {
  std::vector<Case> all;
  for (const char* loss : {"logistic", "squared"}) {
    for (const char* step : {"local", "column", "bound"}) {
      for (const char* form : {"signed", "split"}) {
        all.push_back({.solver = "scd",
                       .options = {{"loss", loss}, {"l1", "0.02"}, {"step", step}, {"form", form}},
                       .primal_falls = true});
        all.push_back({.solver = "scd",
                       .options = {{"loss", loss},
                                   {"l1", "0.02"},
                                   {"step", step},
                                   {"form", form},
                                   {"order", "sampled"},
                                   {"support_passes", "0"}},
                       .primal_falls = true});
      }
      all.push_back({.solver = "scd",
                     .options = {{"loss", loss}, {"l1", "0.02"}, {"l2", "0.05"}, {"step", step}},
                     .primal_falls = true});
    }
    for (const char* l2 : {"0", "0.05"}) {
      all.push_back({.solver = "prox-newton",
                     .options = {{"loss", loss}, {"l1", "0.02"}, {"l2", l2}},
                     .primal_falls = true});
    }
    for (const char* step : {"column", "bound"}) {
      all.push_back({.solver = "detcd",
                     .options = {{"loss", loss}, {"l1", "0.02"}, {"step", step}},
                     .epochs = 40000,
                     .primal_falls = true});
    }
  }
  return all;
}

std::vector<Case> AllCases() {
  std::vector<Case> all = SdcaCases();
  for (Case& each : ScdCases()) all.push_back(std::move(each));
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    all.push_back({.solver = "agd", .options = {{"loss", loss}, {"l1", "0.02"}, {"l2", "0.05"}}});
    for (const char* l1 : {"0", "0.02"}) {
      all.push_back({.solver = "accelerated-sdca", .options = {{"loss", loss}, {"l1", l1}, {"l2", "0.001"}}});
    }
    all.push_back({.solver = "fista", .options = {{"loss", loss}, {"l1", "0.02"}}, .gap = 1e-8});
    all.push_back({.solver = "asdca", .options = {{"loss", loss}, {"l2", "0.05"}, {"batch", "7"}}});
    all.push_back({.solver = "projected-gradient",
                   .options = {{"loss", loss}, {"radius", "1.5"}},
                   .gap = 1e-8,
                   .primal_falls = true});
    all.push_back({.solver = "projected-gradient",
                   .options = {{"loss", loss}, {"radius", "1.5"}, {"step", "fixed"}},
                   .gap = 1e-2});
    all.push_back({.solver = "frank-wolfe",
                   .options = {{"loss", loss}, {"radius", "1.5"}},
                   .gap = 1e-2,
                   .primal_falls = true});
    all.push_back({.solver = "frank-wolfe",
                   .options = {{"loss", loss}, {"radius", "1.5"}, {"step", "inverse"}},
                   .gap = 1e-2});
    all.push_back({.solver = "sgd", .options = {{"loss", loss}, {"l2", "0.1"}}, .gap = 1e-2});
    all.push_back(
        {.solver = "interior-point",
         .options = {{"loss", loss}, {"l1", "0.1"}, {"schedule_horizon", "250"}, {"centering", "0.8"}},
         .gap = 1e-2});
  }
  return all;
}

std::vector<Case> MulticlassCases() {
  return {
      {.solver = "multiclass-sdca", .options = {{"l2", "0.05"}}, .gap = 1e-6},
      {.solver = "multiclass-sdca",
       .options = {{"l1", "0.02"}, {"l2", "0.05"}, {"order", "cyclic"}},
       .gap = 1e-6},
      {.solver = "multiclass-logistic", .options = {{"radius", "1.5"}}, .gap = 1e-7, .primal_falls = true}};
}

void ExpectToConverge(const Case& each, const Examples& examples) {
  SCOPED_TRACE(Name(each));
  const auto solver = Make(each.solver, each.options, examples);
  Progress last = solver->Report();
  for (int epoch = 0; epoch < each.epochs && last.gap > each.gap; ++epoch) {
    solver->Step();
    const Progress now = solver->Report();
    const double rounding = 1e-12 * (1 + std::abs(now.primal));
    ASSERT_GE(now.gap, -rounding);
    ASSERT_GE(now.primal - now.gap, last.primal - last.gap - rounding) << epoch;
    if (each.primal_falls) {
      ASSERT_LE(now.primal, last.primal + rounding) << epoch;
    }
    ASSERT_EQ(now.epochs, last.epochs + 1);
    ASSERT_GT(now.data_accesses, last.data_accesses);
    last = now;
  }
  EXPECT_LE(last.gap, each.gap) << last.epochs << " epochs";
}

TEST(Convergence, GapsAreBoundsAndGoToZero) {
  for (const uint64_t seed : {1U, 2U}) {
    const SmallProblem problem = SmallProblem::Random(seed, 40, 12);
    for (const Case& each : AllCases()) ExpectToConverge(each, problem.View());
    const SmallProblem several = SmallProblem::Random(seed, 40, 12, 4);
    for (const Case& each : MulticlassCases()) ExpectToConverge(each, several.View());
  }
}

// Rows of very different lengths: in a short one, 1/‖x‖² is so large that a difference beside it is lost.
TEST(Convergence, MulticlassDualAscentTakesRowsOfAnyLength) {
  std::vector<SparseRow> rows;
  std::vector<float> targets;
  for (uint32_t i = 0; i < 200; ++i) {
    targets.push_back(static_cast<float>(i % 3));
    rows.push_back({{i % 3, 1.0F}, {3 + i % 7, 0.5F}});
  }
  const auto reached = [&](std::vector<std::pair<SparseRow, float>> more) {
    for (const auto& [row, target] : more) {
      rows.push_back(row);
      targets.push_back(target);
    }
    const SmallProblem problem(rows, targets, 10, 3);
    rows.resize(200);
    targets.resize(200);
    const auto solver = Make("multiclass-sdca", {{"l2", "0.1"}}, problem.View());
    double lowest = solver->Report().primal;
    for (int epoch = 0; epoch < 300; ++epoch) {
      solver->Step();
      lowest = std::min(lowest, solver->Report().primal);
      EXPECT_LE(solver->Report().primal, 2);
    }
    EXPECT_LE(solver->Report().gap, 1e-6);
    return lowest;
  };
  const double normal = reached({});
  EXPECT_NEAR(reached({{{{4, 1e-8F}}, 1}}), normal, 0.01);
  EXPECT_NEAR(reached({{{{4, 1e-30F}}, 1}, {{{2, 1e-19F}, {5, 1e-12F}}, 0}}), normal, 0.02);
  reached({{{{4, 1e3F}}, 1}, {{{2, 1e-8F}}, 0}});
}

// In a very long row the steps are so small that they are lost beside 1.
TEST(Convergence, MulticlassDualAscentTakesAVeryLongRow) {
  std::vector<SparseRow> rows;
  std::vector<float> targets;
  for (uint32_t i = 0; i < 200; ++i) {
    targets.push_back(static_cast<float>(i % 3));
    SparseRow& row = rows.emplace_back();
    for (uint32_t k = 0; k < 6; ++k) {
      const auto value = static_cast<float>((i * 37 + k * 11) % 17);
      row[k * 40 + (i * 7 + k * 13 + i % 3 * 5) % 40] = (value - 7.5F) / 8;
    }
  }
  rows.push_back({{59, 1e15F}});
  targets.push_back(0);
  const SmallProblem problem(rows, targets, 240, 3);
  const auto solver = Make("multiclass-sdca", {{"l2", "0.1"}}, problem.View());
  for (int epoch = 0; epoch < 300; ++epoch) solver->Step();
  EXPECT_LE(solver->Report().gap, 1e-6);
}

// With the paper's step 1/(l2·t) the first steps of a loss without a bound on its slope would overflow.
TEST(Convergence, SgdTakesTheSquaredLoss) {
  std::vector<SparseRow> rows;
  std::vector<float> targets;
  for (uint32_t i = 0; i < 60; ++i) {
    rows.push_back({{i % 5, 3.0F}, {5 + i % 3, 10.0F}});
    targets.push_back(static_cast<float>(i % 5) - 2);
  }
  const SmallProblem problem(rows, targets, 8);
  const auto solver = Make("sgd", {{"loss", "squared"}, {"l2", "0.0001"}}, problem.View());
  const double at_first = solver->Report().primal;
  for (int epoch = 0; epoch < 200; ++epoch) solver->Step();
  EXPECT_LE(solver->Report().primal, at_first / 10);
}

TEST(Convergence, AgreeWithAMinimiserByTernarySearch) {
  const SmallProblem problem = SmallProblem::Random(7, 30, 8);
  const Examples examples = problem.View();
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    for (const double l1 : {0.0, 0.03}) {
      const OptionValues both = {{"loss", loss}, {"l1", fmt::format("{}", l1)}, {"l2", "0.05"}};
      const ElasticNetObjective objective = {
          .loss = ReadMarginLoss(OptionValues{{"loss", loss}}), .l1 = l1, .l2 = 0.05};
      const double minimum = NaiveMinimum(examples, objective);
      for (const char* name : {"sdca", "accelerated-sdca", "scd", "detcd", "prox-newton", "agd", "fista"}) {
        const std::string_view solver_name = name;
        const bool needs_curvature = solver_name.ends_with("cd") || solver_name == "prox-newton";
        if (std::string_view(loss) == "smoothed-hinge" && needs_curvature) continue;
        const auto solver = Make(name, both, examples);
        for (int epoch = 0; epoch < 2000 && solver->Report().gap > 1e-9; ++epoch) solver->Step();
        const auto weights = solver->Weights();
        const double reached = NaivePrimal(examples, objective, {weights.begin(), weights.end()});
        EXPECT_NEAR(reached, minimum, 1e-6) << name << ' ' << loss << ' ' << l1;
        EXPECT_NEAR(solver->Report().primal, reached, 1e-12) << name;
      }
    }
  }
}

TEST(Convergence, L1AloneAgreesToo) {
  const SmallProblem problem = SmallProblem::Random(8, 30, 8);
  const ElasticNetObjective objective = {.loss = {}, .l1 = 0.04, .l2 = 0};
  const double minimum = NaiveMinimum(problem.View(), objective);
  for (const char* name : {"scd", "detcd", "prox-newton", "fista"}) {
    const auto solver = Make(name, {{"l1", "0.04"}}, problem.View());
    for (int epoch = 0; epoch < 4000 && solver->Report().gap > 1e-8; ++epoch) solver->Step();
    EXPECT_NEAR(solver->Report().primal, minimum, 1e-6) << name;
  }
}

TEST(Convergence, TheScaleOfFeaturesDoesNotMatter) {
  const SmallProblem problem = SmallProblem::Random(8, 60, 12);
  const Examples examples = problem.View();
  for (const double scale : {0x1p-30, 0x1p20}) {
    std::vector<SparseRow> rows(examples.rows.size());
    std::vector<float> targets;
    for (size_t i = 0; i < rows.size(); ++i) {
      const SparseLines::Line x = examples.rows[i];
      for (size_t k = 0; k < x.size(); ++k) rows[i][x.indices[k]] = x.values[k] * static_cast<float>(scale);
      targets.push_back(static_cast<float>(examples.Target(i)));
    }
    const SmallProblem scaled_problem(rows, targets, 12);
    for (const char* name : {"scd", "prox-newton"}) {
      const auto solver = Make(name, {{"l1", "0.01"}}, examples);
      const auto scaled = Make(name, {{"l1", fmt::format("{}", 0.01 * scale)}}, scaled_problem.View());
      for (int epoch = 0; epoch < 60; ++epoch) {
        solver->Step();
        scaled->Step();
      }
      EXPECT_LE(solver->Report().gap, 1e-6) << name;
      EXPECT_NEAR(scaled->Report().primal, solver->Report().primal, 1e-9) << name << ' ' << scale;
    }
  }
}

// A line search whose steps grow for ever, or a step that is long against the radius, would lose the digits
// of the weights.
TEST(Convergence, ProjectedGradientStaysInTheBall) {
  const SmallProblem problem = SmallProblem::Random(9, 60, 12);
  for (const double radius : {1e-9, 1e-6, 0.01, 1.0}) {
    for (const OptionValues& step :
         {OptionValues(), OptionValues{{"step", "fixed"}, {"learning_rate", "1e9"}}}) {
      OptionValues options = step;
      options["radius"] = fmt::format("{}", radius);
      const auto solver = Make("projected-gradient", options, problem.View());
      for (int epoch = 0; epoch < 300; ++epoch) solver->Step();
      double norm = 0;
      for (const double w : solver->Weights()) norm += std::abs(w);
      EXPECT_LE(norm, radius * (1 + 1e-12)) << radius;
      EXPECT_GE(solver->Report().gap, -1e-12) << radius;
    }
  }
}

// With so many non-zero weights, prox-newton uses no Gram matrix and each inner pass reads all examples.
TEST(Convergence, ProxNewtonOnManyWeightsTakesFewPasses) {
  const SmallProblem problem = SmallProblem::Random(13, 60, 2500);
  const auto solver = Make("prox-newton", {{"l1", "0"}, {"l2", "0.001"}}, problem.View());
  for (int epoch = 0; epoch < 20 && solver->Report().gap > 1e-7; ++epoch) solver->Step();
  const Progress end = solver->Report();
  EXPECT_EQ(end.nonzeros, 2500U);
  EXPECT_LE(end.gap, 1e-7);
  EXPECT_LE(end.passes, 300);
}

TEST(Convergence, AHugePenaltyLeavesNothing) {
  const SmallProblem problem = SmallProblem::Random(6, 40, 12);
  for (const char* name : {"sdca", "accelerated-sdca", "scd", "detcd", "prox-newton", "agd", "fista"}) {
    const auto solver = Make(name, {{"l1", "1e6"}, {"l2", "1e6"}}, problem.View());
    for (int i = 0; i < 3; ++i) solver->Step();
    EXPECT_EQ(solver->Report().nonzeros, 0U) << name;
    EXPECT_LE(solver->Report().gap, 1e-12) << name;
  }
}

TEST(Convergence, WarmStartsBeginWhereTheyAreTold) {
  const SmallProblem problem = SmallProblem::Random(9, 40, 12);
  for (const char* name : {"sdca", "scd", "detcd", "prox-newton", "agd", "fista"}) {
    const OptionValues options = {{"l1", "0.01"}, {"l2", "0.05"}};
    const auto cold = Make(name, options, problem.View());
    for (int i = 0; i < 3000 && cold->Report().gap > 1e-9; ++i) cold->Step();
    const auto warm = Make(name, options, problem.View());
    ASSERT_TRUE(warm->WarmStart(cold->Weights())) << name;
    EXPECT_LE(warm->Report().gap, 1e-3) << name;
    warm->Step();
    EXPECT_NEAR(warm->Report().primal, cold->Report().primal, 1e-6) << name;
  }
}

}  // namespace
}  // namespace thresher::learners::batch
