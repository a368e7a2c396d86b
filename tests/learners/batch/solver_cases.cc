#include "tests/learners/batch/solver_cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace thresher::learners::batch {

const Parallel kAlone = [](const std::function<void(size_t, size_t)>& body) { body(0, 1); };

std::unique_ptr<Solver> Make(std::string_view name, const OptionValues& options, const Examples& examples,
                             uint64_t seed, const Parallel& parallel) {
  auto solver = MakeSolver(name, options, examples, seed, parallel);
  if (!solver) throw std::runtime_error(solver.error());
  return *std::move(solver);
}

std::string Name(const Case& each) {
  std::string name = each.solver;
  for (const auto& [option, value] : each.options) name += fmt::format(" {}={}", option, value);
  return name;
}

std::vector<Case> OneOfEach() {
  std::vector<Case> all;
  for (const SolverSpec& spec : AllSolvers())
    all.push_back({.solver = std::string(spec.name), .options = {}});
  all.push_back({.solver = "scd", .options = {{"form", "split"}, {"order", "sampled"}}});
  for (const char* name : {"scd", "prox-newton"}) {
    all.push_back({.solver = name, .options = {{"screening", "off"}}});
  }
  all.push_back({.solver = "sdca", .options = {{"norm", "low-linf"}, {"l1", "0.001"}}});
  all.push_back({.solver = "sdca", .options = {{"average", "on"}}});
  return all;
}

SmallProblem ProblemFor(const Case& each, uint64_t seed) {
  return SmallProblem::Random(seed, 40, 12, FindSolver(each.solver)->multiclass ? 3 : 0);
}

std::vector<double> WeightsOf(Solver& solver) {
  const auto weights = solver.Weights();
  return {weights.begin(), weights.end()};
}

std::unique_ptr<Solver> Resumed(Solver& first, const Case& each, const Examples& examples) {
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

}  // namespace thresher::learners::batch
