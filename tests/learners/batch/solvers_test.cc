// What every batch solver must satisfy besides convergence (convergence_test.cc). Runs over the registry.
#include "learners/batch/solvers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"
#include "tests/learners/file_text.h"

namespace thresher::learners::batch {
namespace {

using testing::HasSubstr;

const Parallel kThreeParts = [](const std::function<void(size_t, size_t)>& body) {
  for (const size_t part : {2U, 0U, 1U}) body(part, 3);
};

TEST(Solvers, ResumeToTheBit) {
  for (const Case& each : OneOfEach()) {
    SCOPED_TRACE(Name(each));
    const SmallProblem problem = ProblemFor(each, 3);
    const auto whole = Make(each.solver, each.options, problem.View());
    const auto first = Make(each.solver, each.options, problem.View());
    for (int i = 0; i < 5; ++i) whole->Step();
    for (int i = 0; i < 2; ++i) {
      first->Step();
      first->Report();  // a report changes nothing
    }
    const auto second = Resumed(*first, each, problem.View());
    EXPECT_EQ(first->Report().gap, second->Report().gap);
    for (int i = 0; i < 3; ++i) second->Step();
    EXPECT_EQ(WeightsOf(*whole), WeightsOf(*second));
    EXPECT_EQ(whole->Report().data_accesses, second->Report().data_accesses);
  }
}

TEST(Solvers, TheNumberOfPartsChangesNoBit) {
  for (const Case& each : OneOfEach()) {
    const SmallProblem problem = ProblemFor(each, 4);
    const auto one = Make(each.solver, each.options, problem.View());
    const auto three = Make(each.solver, each.options, problem.View(), 1, kThreeParts);
    for (int i = 0; i < 3; ++i) {
      one->Step();
      three->Step();
    }
    EXPECT_EQ(WeightsOf(*one), WeightsOf(*three)) << Name(each);
  }
}

TEST(Solvers, RandomOrderDependsOnTheSeed) {
  for (const char* name : {"sdca", "accelerated-sdca", "scd", "sgd", "asdca"}) {
    const SmallProblem problem = SmallProblem::Random(5, 300, 12);
    const auto one = Make(name, {}, problem.View(), 1);
    const auto other = Make(name, {}, problem.View(), 2);
    one->Step();
    other->Step();
    EXPECT_NE(WeightsOf(*one), WeightsOf(*other)) << name;
  }
}

// Columns of very different scale, a constant column, an empty column, an example without features; and all
// examples are of one class.
SmallProblem Awkward(uint32_t classes) {
  std::vector<SparseRow> rows;
  for (int i = 0; i < 20; ++i) {
    const auto wave = static_cast<float>(std::sin(i));
    rows.push_back({{0, 1e6F * wave}, {1, 1e-6F * wave}, {2, 1}, {4, wave}});
  }
  rows.emplace_back();
  return {rows, std::vector<float>(rows.size(), 1), 5, classes};
}

TEST(Solvers, AwkwardExamplesGiveFiniteWeightsAndABound) {
  for (const Case& each : OneOfEach()) {
    SCOPED_TRACE(Name(each));
    const SmallProblem problem = Awkward(FindSolver(each.solver)->multiclass ? 2 : 0);
    const auto solver = Make(each.solver, each.options, problem.View());
    for (int i = 0; i < 50; ++i) solver->Step();
    for (const double w : solver->Weights()) EXPECT_TRUE(std::isfinite(w));
    const Progress progress = solver->Report();
    EXPECT_TRUE(std::isfinite(progress.primal));
    EXPECT_GE(progress.gap, -1e-12 * (1 + std::abs(progress.primal)));
  }
}

TEST(Solvers, NoFeaturesAtAllIsAllowed) {
  for (const Case& each : OneOfEach()) {
    const SmallProblem problem({{}, {}, {}}, {1, 1, 1}, 0, FindSolver(each.solver)->multiclass ? 2 : 0);
    const auto solver = Make(each.solver, each.options, problem.View());
    for (int i = 0; i < 3; ++i) solver->Step();
    EXPECT_TRUE(std::isfinite(solver->Report().primal)) << Name(each);
  }
}

std::string ErrorOf(std::string_view name, const OptionValues& options, const Examples& examples) {
  const auto made = MakeSolver(name, options, examples, 1, kAlone);
  return made ? "no error" : made.error();
}

TEST(Solvers, ErrorsSayWhatWasExpected) {
  const SmallProblem problem = SmallProblem::Random(1, 10, 3);
  const Examples examples = problem.View();
  EXPECT_THAT(ErrorOf("sdac", {}, examples), HasSubstr("expected one of accelerated-sdca, agd, asdca"));
  EXPECT_THAT(ErrorOf("sdca", {{"l3", "1"}}, examples), HasSubstr("unknown option l3=1"));
  EXPECT_THAT(ErrorOf("sdca", {{"l2", "0"}}, examples), HasSubstr("above 0"));
  EXPECT_THAT(ErrorOf("scd", {{"l1", "0"}}, examples), HasSubstr("l1 and l2 are both 0"));
  EXPECT_THAT(ErrorOf("scd", {{"form", "split"}, {"l2", "1"}}, examples), HasSubstr("l2 = 0"));
  EXPECT_THAT(ErrorOf("scd", {{"loss", "hinge"}}, examples), HasSubstr("logistic, squared"));
  EXPECT_THAT(ErrorOf("multiclass-sdca", {}, examples), HasSubstr("at least two"));
  const SmallProblem numbers({{{0, 1.0F}}}, {0.5F}, 1);
  EXPECT_THAT(ErrorOf("sdca", {}, numbers.View()), HasSubstr("label 0.5; this loss expects 1 or -1"));
  EXPECT_EQ(ErrorOf("sdca", {{"loss", "squared"}}, numbers.View()), "no error");
  EXPECT_THAT(ErrorOf("sdca", {}, SmallProblem({}, {}, 1).View()), HasSubstr("there are no examples"));
}

TEST(Solvers, EachWithItsOptionsIsDocumented) {
  const std::string text = FileText(THRESHER_SOURCE_DIR "/docs/fitting.md");
  for (const SolverSpec& spec : AllSolvers()) {
    EXPECT_THAT(text, HasSubstr(fmt::format("`{}`", spec.name)));
    for (const OptionSpec& option : spec.options) {
      EXPECT_THAT(text, HasSubstr(fmt::format("`{}`", option.name))) << spec.name;
    }
  }
}

TEST(Solvers, TheRegistryAgreesWithTheFiles) {
  std::set<std::string> in_files;
  for (const auto& entry : std::filesystem::directory_iterator(THRESHER_SOURCE_DIR "/learners/batch")) {
    if (const auto name = NameInFile(entry.path())) in_files.insert(*name);
  }
  std::set<std::string> registered;
  for (const SolverSpec& spec : AllSolvers()) {
    EXPECT_FALSE(spec.summary.empty() || spec.source.empty() || spec.cost.empty()) << spec.name;
    registered.emplace(spec.name);
    const auto text = SolverOptionsText(spec.name, {});
    for (const OptionSpec& option : spec.options) {
      EXPECT_THAT(*text, HasSubstr(fmt::format("{}={}", option.name, option.default_value)));
    }
  }
  EXPECT_EQ(in_files, registered);
}

}  // namespace
}  // namespace thresher::learners::batch
