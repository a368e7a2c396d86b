// Every distributed solver finds the minimum that a serial one finds, with the same bits for any number of
// processes.
#include "learners/batch/solvers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "learners/distributed/solver.h"
#include "tests/learners/batch/small_problem.h"
#include "tests/learners/distributed/divided_problem.h"
#include "tests/learners/distributed/thread_group.h"

namespace thresher::learners::distributed {
namespace {

using batch::Progress;
using batch::SmallProblem;

struct Solved {
  std::vector<Progress> progress;  // after each epoch
  std::vector<double> weights;
};

// What process 0 sees; the others must see the same.
Solved Solve(const std::string& solver, const OptionValues& options, const batch::Examples& examples,
             size_t parts, size_t processes, size_t epochs) {
  const SolverSpec& spec = *FindSolver(solver);
  const OptionValues complete = CompleteSolverOptions(solver, options).value();
  std::vector<Solved> runs(processes);
  RunInThreads(processes, [&](Group& group) {
    const DividedProblem divided(examples, spec.by, {parts, processes}, group);
    const auto made = spec.make(divided.share(), complete, 1);
    Solved& run = runs[group.rank()];
    for (size_t epoch = 0; epoch < epochs; ++epoch) {
      made->Step();
      run.progress.push_back(made->Report());
    }
    const auto weights = made->Weights();
    run.weights.assign(weights.begin(), weights.end());
  });
  for (const Solved& run : runs) {
    EXPECT_EQ(run.weights, runs.front().weights) << solver;
    EXPECT_EQ(run.progress.back().gap, runs.front().progress.back().gap) << solver;
  }
  return runs.front();
}

struct SolverCase {
  std::string solver;
  OptionValues options;
  size_t epochs;
  double gap = 1e-8;  // in the end

  std::string Name() const { return solver + " " + options.at("loss"); }
};

std::vector<SolverCase> Cases() {
  std::vector<SolverCase> all;
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    all.push_back({"sdca", {{"loss", loss}, {"l2", "0.05"}}, 400});
    all.push_back({"sdca", {{"loss", loss}, {"l2", "0.05"}, {"l1", "0.02"}, {"local_passes", "3"}}, 400});
  }
  for (const char* loss : {"logistic", "squared", "smoothed-hinge"}) {
    all.push_back({"agd", {{"loss", loss}, {"l2", "0.05"}, {"l1", "0.02"}}, 400});
    for (const char* solver : {"asdca", "asdca-by-features"})
      all.push_back({solver, {{"loss", loss}, {"l2", "0.05"}, {"batch", "7"}}, 400, 1e-6});
  }
  all.push_back({"sdca-by-features", {{"loss", "logistic"}, {"l2", "0.05"}, {"l1", "0.02"}}, 60});
  all.push_back({"sdca-by-features", {{"loss", "smoothed-hinge"}, {"l2", "0.05"}}, 60});
  all.push_back({"sdca", {{"loss", "hinge"}, {"l2", "0.05"}}, 400, 1e-3});
  all.push_back({"sdca", {{"loss", "absolute"}, {"l2", "0.05"}}, 400, 1e-3});
  return all;
}

// A serial solver without shrinking, for comparison of its steps, after some epochs.
std::unique_ptr<batch::Solver> Serial(const std::string& solver, OptionValues options,
                                      const batch::Examples& examples, int epochs) {
  if (solver == "sdca") options.emplace("shrinking", "off");
  auto serial = batch::MakeSolver(solver, options, examples, 1, [](const auto& body) { body(0, 1); }).value();
  for (int epoch = 0; epoch < epochs; ++epoch) serial->Step();
  return serial;
}

TEST(DistributedSolvers, FindTheMinimumThatASerialSolverFinds) {
  const SmallProblem problem = SmallProblem::Random(1, 60, 20);
  for (const SolverCase& each : Cases()) {
    OptionValues serial_options = {{"loss", each.options.at("loss")}, {"l2", each.options.at("l2")}};
    if (each.options.contains("l1")) serial_options["l1"] = each.options.at("l1");
    const Progress optimum = Serial("sdca", serial_options, problem.View(), 2000)->Report();
    const Solved run = Solve(each.solver, each.options, problem.View(), 5, 2, each.epochs);
    const Progress& end = run.progress.back();
    EXPECT_LE(end.gap, each.gap) << each.Name();
    EXPECT_GE(end.gap, -1e-12) << each.Name();
    EXPECT_NEAR(end.primal, optimum.primal, each.gap + optimum.gap) << each.Name();
    const auto nonzeros =
        static_cast<uint64_t>(std::ranges::count_if(run.weights, [](double w) { return w != 0; }));
    EXPECT_EQ(end.nonzeros, nonzeros) << each.Name();
  }
}

TEST(DistributedSolvers, GiveTheSameBitsForAnyNumberOfProcesses) {
  const SmallProblem problem = SmallProblem::Random(2, 50, 15);
  for (const SolverCase& each : Cases()) {
    const Solved alone = Solve(each.solver, each.options, problem.View(), 8, 1, 5);
    for (const size_t processes : {2U, 3U, 8U}) {
      const Solved together = Solve(each.solver, each.options, problem.View(), 8, processes, 5);
      EXPECT_EQ(together.weights, alone.weights) << each.Name() << ", " << processes << " processes";
      for (size_t epoch = 0; epoch < alone.progress.size(); ++epoch) {
        EXPECT_EQ(together.progress[epoch].primal, alone.progress[epoch].primal) << each.Name();
        EXPECT_EQ(together.progress[epoch].gap, alone.progress[epoch].gap) << each.Name();
        EXPECT_EQ(together.progress[epoch].data_accesses, alone.progress[epoch].data_accesses);
      }
    }
  }
}

std::vector<double> CopyOf(const std::vector<std::span<double>>& memory) {
  std::vector<double> copy;
  for (const std::span<double> part : memory) copy.insert(copy.end(), part.begin(), part.end());
  return copy;
}

void CopyTo(const std::vector<std::span<double>>& memory, const std::vector<double>& copy) {
  auto from = copy.begin();
  for (const std::span<double> part : memory) {
    std::copy_n(from, part.size(), part.begin());
    from += static_cast<std::ptrdiff_t>(part.size());
  }
}

TEST(DistributedSolvers, ContinueFromTheirMemory) {
  const SmallProblem problem = SmallProblem::Random(3, 40, 12);
  for (const SolverCase& each : Cases()) {
    const SolverSpec& spec = *FindSolver(each.solver);
    const OptionValues complete = CompleteSolverOptions(each.solver, each.options).value();
    RunInThreads(2, [&](Group& group) {
      const DividedProblem divided(problem.View(), spec.by, {4, 2}, group);
      const auto first = spec.make(divided.share(), complete, 1);
      for (int epoch = 0; epoch < 3; ++epoch) first->Step();
      first->Report();
      const auto second = spec.make(divided.share(), complete, 1);
      CopyTo(second->SharedMemory(), CopyOf(first->SharedMemory()));
      for (size_t k = 0; k < divided.share().own.size(); ++k)
        CopyTo(second->PartMemory(k), CopyOf(first->PartMemory(k)));
      for (int epoch = 0; epoch < 2; ++epoch) first->Step();
      for (int epoch = 0; epoch < 2; ++epoch) second->Step();
      EXPECT_EQ(second->Report().gap, first->Report().gap) << each.Name();
      const auto weights = first->Weights();
      EXPECT_TRUE(std::ranges::equal(second->Weights(), weights)) << each.Name();
    });
  }
}

// The solver divided as given, beside the serial one of the same steps.
void ExpectStepsOfTheSerialSolver(const std::string& divided, const std::string& serial,
                                  const OptionValues& options, const Parts& parts, double tolerance) {
  const SmallProblem problem = SmallProblem::Random(4, 60, 20);
  const auto alone = Serial(serial, options, problem.View(), 10);
  const Solved run = Solve(divided, options, problem.View(), parts.count, parts.processes, 10);
  for (size_t j = 0; j < run.weights.size(); ++j)
    EXPECT_NEAR(run.weights[j], alone->Weights()[j], tolerance) << divided;
  EXPECT_EQ(run.progress.back().data_accesses, alone->Report().data_accesses) << divided;
}

// Divided by features, parts add up a margin in another order than the serial solver.
TEST(DistributedSolvers, TakeTheStepsOfTheSerialSolverButForRounding) {
  const OptionValues elastic_net = {{"loss", "logistic"}, {"l2", "0.01"}, {"l1", "0.01"}};
  ExpectStepsOfTheSerialSolver("sdca-by-features", "sdca", elastic_net, {4, 3}, 1e-9);
  ExpectStepsOfTheSerialSolver("sdca", "sdca", elastic_net, {1, 1}, 1e-12);
  const OptionValues batches = {{"loss", "smoothed-hinge"}, {"l2", "0.01"}, {"batch", "7"}};
  for (const char* solver : {"asdca", "asdca-by-features"})
    ExpectStepsOfTheSerialSolver(solver, "asdca", batches, {4, 3}, 1e-9);
}

TEST(DistributedSolvers, RefuseUnknownOptions) {
  EXPECT_EQ(CompleteSolverOptions("scd", {}).error(),
            "solver \"scd\" does not run in several processes; expected one of " + KnownSolvers());
  EXPECT_FALSE(CompleteSolverOptions("sdca", {{"batch", "3"}}).has_value());
}

}  // namespace
}  // namespace thresher::learners::distributed
