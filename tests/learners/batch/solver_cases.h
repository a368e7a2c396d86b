// Solvers with options, problems for them, and what several tests of solvers do with them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "learners/batch/solvers.h"
#include "tests/learners/batch/small_problem.h"

namespace thresher::learners::batch {

// Runs the body as one part, in this thread.
extern const Parallel kAlone;

// Throws where MakeSolver returns an error.
std::unique_ptr<Solver> Make(std::string_view name, const OptionValues& options, const Examples& examples,
                             uint64_t seed = 1, const Parallel& parallel = kAlone);

struct Case {
  std::string solver;
  OptionValues options;
  double gap = 1e-9;          // that it must reach
  int epochs = 4000;          // within this number of epochs
  bool primal_falls = false;  // the objective never rises
};

// The solver and its options, for messages.
std::string Name(const Case& each);

// Every solver with its defaults, and forms that keep more state.
std::vector<Case> OneOfEach();

// With three classes for multiclass solvers.
SmallProblem ProblemFor(const Case& each, uint64_t seed);

std::vector<double> WeightsOf(Solver& solver);

// A new solver that continues from the memory of `first`.
std::unique_ptr<Solver> Resumed(Solver& first, const Case& each, const Examples& examples);

}  // namespace thresher::learners::batch
