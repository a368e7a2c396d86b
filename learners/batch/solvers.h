// The table of batch solvers: their names, options, sources and costs, and how to make one.
//
// Called by pipeline/fit, pipeline/distributed (for the targets) and `thresher learners`. To add a solver:
// one file with its method and one line in solver_specs.h. The tests run over this table. Thread-safety:
// immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "learners/batch/examples.h"
#include "learners/batch/solver.h"
#include "learners/registry.h"

namespace thresher::learners::batch {

struct SolverSpec {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view source;   // paper and section
  std::string_view cost;     // of one epoch
  std::span<const OptionSpec> options;
  std::unique_ptr<Solver> (*make)(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                  const Parallel& parallel);
  CheckOptions check = nullptr;
  bool multiclass = false;  // targets are classes
};

std::span<const SolverSpec> AllSolvers();

// Null if there is none of that name.
const SolverSpec* FindSolver(std::string_view name);

// `given` over the solver's defaults, in the canonical form "l1=1e-06 l2=0 …". The error is one line that
// names the option and what was expected.
tl::expected<std::string, std::string> SolverOptionsText(std::string_view name, const OptionValues& given);

// A target that the loss does not accept: which, and "has the label …".
struct WrongTarget {
  size_t at = 0;
  std::string why;
};
// The first one, for the loss that the options name; nothing if it accepts all.
std::optional<WrongTarget> FirstWrongTarget(const OptionValues& complete, std::span<const float> targets);

// `examples` must outlive the solver, and its entries must be finite. Also an error if the solver's loss does
// not accept the targets.
tl::expected<std::unique_ptr<Solver>, std::string> MakeSolver(std::string_view name,
                                                              const OptionValues& given,
                                                              const Examples& examples, uint64_t seed,
                                                              const Parallel& parallel);

}  // namespace thresher::learners::batch
