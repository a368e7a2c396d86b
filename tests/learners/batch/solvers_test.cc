// What every batch solver must satisfy; it runs over the registry.
#include "learners/batch/solvers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/learners/batch/small_problem.h"

namespace thresher::learners::batch {
namespace {

using testing::HasSubstr;

const Parallel kAlone = [](const std::function<void(size_t, size_t)>& body) { body(0, 1); };
const Parallel kThreeParts = [](const std::function<void(size_t, size_t)>& body) {
  for (const size_t part : {2, 0, 1}) body(part, 3);
};

std::unique_ptr<Solver> Make(std::string_view name, const OptionValues& options, const Examples& examples,
                             uint64_t seed = 1, const Parallel& parallel = kAlone) {
  auto solver = MakeSolver(name, options, examples, seed, parallel);
  if (!solver) throw std::runtime_error(solver.error());
  return *std::move(solver);
}

struct Case {
  std::string solver;
  OptionValues options;
  double gap = 1e-9;          // to be reached
  int epochs = 4000;          // within so many
  bool primal_falls = false;  // the objective never rises
};

std::string Name(const Case& each) {
  std::string name = each.solver;
  for (const auto& [option, value] : each.options) name += fmt::format(" {}={}", option, value);
  return name;
}

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
    all.push_back({.solver = "detcd", .options = {{"loss", loss}, {"l1", "0.02"}}, .primal_falls = true});
  }
  return all;
}

std::vector<Case> AllCases() {
  std::vector<Case> all = SdcaCases();
  for (Case& each : ScdCases()) all.push_back(std::move(each));
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    all.push_back({.solver = "agd", .options = {{"loss", loss}, {"l1", "0.02"}, {"l2", "0.05"}}});
    all.push_back({.solver = "fista", .options = {{"loss", loss}, {"l1", "0.02"}}, .gap = 1e-8});
    all.push_back({.solver = "asdca", .options = {{"loss", loss}, {"l2", "0.05"}, {"batch", "7"}}});
    all.push_back({.solver = "projected-gradient",
                   .options = {{"loss", loss}, {"radius", "1.5"}},
                   .gap = 1e-8,
                   .primal_falls = true});
    all.push_back({.solver = "projected-gradient",
                   .options = {{"loss", loss}, {"radius", "1.5"}, {"step", "fixed"}},
                   .gap = 1e-2});
    all.push_back({.solver = "sgd", .options = {{"loss", loss}, {"l2", "0.1"}}, .gap = 1e-2});
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

TEST(Solvers, GapsAreBoundsAndGoToZero) {
  for (const uint64_t seed : {1, 2}) {
    const SmallProblem problem = SmallProblem::Random(seed, 40, 12);
    for (const Case& each : AllCases()) ExpectToConverge(each, problem.View());
    const SmallProblem several = SmallProblem::Random(seed, 40, 12, 4);
    for (const Case& each : MulticlassCases()) ExpectToConverge(each, several.View());
  }
}

TEST(Solvers, AgreeWithAMinimiserByTernarySearch) {
  const SmallProblem problem = SmallProblem::Random(7, 30, 8);
  const Examples examples = problem.View();
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    for (const double l1 : {0.0, 0.03}) {
      const OptionValues both = {{"loss", loss}, {"l1", fmt::format("{}", l1)}, {"l2", "0.05"}};
      const ElasticNetObjective objective = {
          .loss = ReadMarginLoss(OptionValues{{"loss", loss}}), .l1 = l1, .l2 = 0.05};
      const double minimum = NaiveMinimum(examples, objective);
      for (const char* name : {"sdca", "scd", "detcd", "prox-newton", "agd", "fista"}) {
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

// Of one machine in two halves: the same minimum under ℓ1 alone.
TEST(Solvers, L1AloneAgreesToo) {
  const SmallProblem problem = SmallProblem::Random(8, 30, 8);
  const ElasticNetObjective objective = {.loss = {}, .l1 = 0.04, .l2 = 0};
  const double minimum = NaiveMinimum(problem.View(), objective);
  for (const char* name : {"scd", "detcd", "prox-newton", "fista"}) {
    const auto solver = Make(name, {{"l1", "0.04"}}, problem.View());
    for (int epoch = 0; epoch < 4000 && solver->Report().gap > 1e-8; ++epoch) solver->Step();
    EXPECT_NEAR(solver->Report().primal, minimum, 1e-6) << name;
  }
}

// With so many non-zero weights prox-newton has no Gram matrix, and each inner pass reads all examples.
TEST(Solvers, ProxNewtonOnManyWeightsTakesFewPasses) {
  const SmallProblem problem = SmallProblem::Random(13, 60, 2500);
  const auto solver = Make("prox-newton", {{"l1", "0"}, {"l2", "0.001"}}, problem.View());
  for (int epoch = 0; epoch < 20 && solver->Report().gap > 1e-7; ++epoch) solver->Step();
  const Progress end = solver->Report();
  EXPECT_EQ(end.nonzeros, 2500U);
  EXPECT_LE(end.gap, 1e-7);
  EXPECT_LE(end.passes, 300);
}

std::vector<Case> OneOfEach() {
  std::vector<Case> all;
  for (const SolverSpec& spec : AllSolvers())
    all.push_back({.solver = std::string(spec.name), .options = {}});
  all.push_back({.solver = "scd", .options = {{"form", "split"}, {"order", "sampled"}}});
  all.push_back({.solver = "sdca", .options = {{"norm", "low-linf"}, {"l1", "0.001"}}});
  return all;
}

SmallProblem ProblemFor(const Case& each, uint64_t seed) {
  return SmallProblem::Random(seed, 40, 12, FindSolver(each.solver)->multiclass ? 3 : 0);
}

std::vector<double> WeightsOf(Solver& solver) {
  const auto weights = solver.Weights();
  return {weights.begin(), weights.end()};
}

std::unique_ptr<Solver> GoingOnFrom(Solver& first, const Case& each, const Examples& examples) {
  auto second = Make(each.solver, each.options, examples);
  const auto from = first.Memory();
  const auto to = second->Memory();
  EXPECT_EQ(from.size(), to.size());
  for (size_t part = 0; part < from.size(); ++part) {
    EXPECT_EQ(from[part].size(), to[part].size());
    std::copy(from[part].begin(), from[part].end(), to[part].begin());
  }
  return second;
}

TEST(Solvers, ResumeToTheBit) {
  for (const Case& each : OneOfEach()) {
    SCOPED_TRACE(Name(each));
    const SmallProblem problem = ProblemFor(each, 3);
    const auto whole = Make(each.solver, each.options, problem.View());
    const auto first = Make(each.solver, each.options, problem.View());
    for (int i = 0; i < 5; ++i) whole->Step();
    for (int i = 0; i < 2; ++i) {
      first->Step();
      first->Report();  // looking changes nothing
    }
    const auto second = GoingOnFrom(*first, each, problem.View());
    EXPECT_EQ(first->Report().gap, second->Report().gap);
    for (int i = 0; i < 3; ++i) second->Step();
    EXPECT_EQ(WeightsOf(*whole), WeightsOf(*second));
    EXPECT_EQ(whole->Report().data_accesses, second->Report().data_accesses);
  }
}

std::vector<Case> CasesWithCorners(const char* shrinking) {
  std::vector<Case> all;
  for (const char* loss : {"hinge", "smoothed-hinge", "absolute"}) {
    for (const char* order : {"permuted", "sampled", "cyclic"}) {
      for (const char* l1 : {"0", "0.01"}) {
        all.push_back(
            {.solver = "sdca",
             .options = {
                 {"loss", loss}, {"order", order}, {"l1", l1}, {"l2", "0.01"}, {"shrinking", shrinking}}});
      }
    }
  }
  return all;
}

// The same minimum for less work.
TEST(Solvers, ShrinkingLosesNothing) {
  const SmallProblem problem = SmallProblem::Random(11, 400, 12);
  const std::vector<Case> with = CasesWithCorners("on");
  const std::vector<Case> without = CasesWithCorners("off");
  for (size_t k = 0; k < with.size(); ++k) {
    SCOPED_TRACE(Name(with[k]));
    std::vector<Progress> ends;
    for (const Case& each : {with[k], without[k]}) {
      const auto solver = Make(each.solver, each.options, problem.View());
      for (int epoch = 0; epoch < 20000 && solver->Report().gap > 1e-8; ++epoch) solver->Step();
      ends.push_back(solver->Report());
    }
    EXPECT_LE(ends[0].gap, 1e-8);
    EXPECT_NEAR(ends[0].primal, ends[1].primal, 1e-8);
    EXPECT_LT(ends[0].data_accesses, ends[1].data_accesses);
  }
}

TEST(Solvers, ResumeToTheBitAmidShrinking) {
  const SmallProblem problem = SmallProblem::Random(12, 400, 12);
  for (const Case& each : CasesWithCorners("on")) {
    SCOPED_TRACE(Name(each));
    const auto whole = Make(each.solver, each.options, problem.View());
    auto resumed = Make(each.solver, each.options, problem.View());
    bool were_some_left_out = false;
    for (int i = 0; i < 12; ++i) {
      whole->Step();
      resumed->Step();
      resumed = GoingOnFrom(*resumed, each, problem.View());
      const auto memory = resumed->Memory();
      were_some_left_out = were_some_left_out || std::ranges::count(memory[2], 1.0) > 0;
    }
    EXPECT_TRUE(were_some_left_out);
    EXPECT_EQ(WeightsOf(*whole), WeightsOf(*resumed));
    EXPECT_EQ(whole->Report().data_accesses, resumed->Report().data_accesses);
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

TEST(Solvers, SeedsMatterWhereSomethingIsDrawn) {
  for (const char* name : {"sdca", "scd", "sgd", "asdca"}) {
    const SmallProblem problem = SmallProblem::Random(5, 300, 12);
    const auto one = Make(name, {}, problem.View(), 1);
    const auto other = Make(name, {}, problem.View(), 2);
    one->Step();
    other->Step();
    EXPECT_NE(WeightsOf(*one), WeightsOf(*other)) << name;
  }
}

// Columns of very different size, one that is always the same, one that never is there, an example without
// features, and all of one class.
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

TEST(Solvers, NoFeaturesAtAllIsAProblemToo) {
  for (const Case& each : OneOfEach()) {
    const SmallProblem problem({{}, {}, {}}, {1, 1, 1}, 0, FindSolver(each.solver)->multiclass ? 2 : 0);
    const auto solver = Make(each.solver, each.options, problem.View());
    for (int i = 0; i < 3; ++i) solver->Step();
    EXPECT_TRUE(std::isfinite(solver->Report().primal)) << Name(each);
  }
}

TEST(Solvers, AHugePenaltyLeavesNothing) {
  const SmallProblem problem = SmallProblem::Random(6, 40, 12);
  for (const char* name : {"sdca", "scd", "detcd", "prox-newton", "agd", "fista"}) {
    const auto solver = Make(name, {{"l1", "1e6"}, {"l2", "1e6"}}, problem.View());
    for (int i = 0; i < 3; ++i) solver->Step();
    EXPECT_EQ(solver->Report().nonzeros, 0U) << name;
    EXPECT_LE(solver->Report().gap, 1e-12) << name;
  }
}

TEST(Solvers, WarmStartsBeginWhereTheyAreTold) {
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

std::string ErrorOf(std::string_view name, const OptionValues& options, const Examples& examples) {
  const auto made = MakeSolver(name, options, examples, 1, kAlone);
  return made ? "no error" : made.error();
}

TEST(Solvers, ErrorsSayWhatWasExpected) {
  const SmallProblem problem = SmallProblem::Random(1, 10, 3);
  const Examples examples = problem.View();
  EXPECT_THAT(ErrorOf("sdac", {}, examples), HasSubstr("expected one of: agd, asdca"));
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

std::string FileText(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
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
  constexpr std::string_view kNameLine = "constexpr std::string_view kName = \"";
  std::set<std::string> in_files;
  for (const auto& entry : std::filesystem::directory_iterator(THRESHER_SOURCE_DIR "/learners/batch")) {
    const std::string text = FileText(entry.path());
    const size_t at = text.find(kNameLine);
    if (entry.path().extension() != ".cc" || at == std::string::npos) continue;
    const size_t begin = at + kNameLine.size();
    in_files.insert(text.substr(begin, text.find('"', begin) - begin));
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
