// thresher learners: the learners and batch solvers with their options.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "learners/batch/solvers.h"
#include "learners/distributed/solver.h"
#include "learners/registry.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"

namespace thresher::pipeline {
namespace {

struct LearnersFlags {
  bool json = false;
};

using learners::batch::SolverSpec;
using DistributedSpec = learners::distributed::SolverSpec;

// A learner or a batch solver; one for several processes has no source and cost of its own.
template <class Spec>
void PrintText(const Spec& spec, std::string_view whole_model) {
  fmt::print("{}\n  {}\n", spec.name, spec.summary);
  if constexpr (requires { spec.source; }) fmt::print("  source: {}\n  cost:   {}\n", spec.source, spec.cost);
  if (!whole_model.empty()) fmt::print("  trains with the whole model in memory: {}\n", whole_model);
  for (const learners::OptionSpec& option : spec.options) {
    fmt::print("    {:<17} {:<10} {} ({})\n", option.name, option.default_value, option.help,
               option.Expected());
  }
}

void PrintText() {
  for (const learners::LearnerSpec& learner : learners::AllLearners())
    PrintText(learner, learner.whole_model);
  fmt::print("\nBatch solvers, for `thresher fit`:\n\n");
  for (const SolverSpec& solver : learners::batch::AllSolvers()) PrintText(solver, "");
  fmt::print("\nFor several processes, for `thresher fit --distributed`:\n\n");
  for (const DistributedSpec& solver : learners::distributed::AllSolvers()) PrintText(solver, "");
}

template <class Spec>
nlohmann::ordered_json Json(const Spec& spec) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const learners::OptionSpec& option : spec.options) {
    options.push_back({{"name", option.name},
                       {"default", option.default_value},
                       {"range", option.Expected()},
                       {"help", option.help}});
  }
  nlohmann::ordered_json json = {{"name", spec.name}, {"summary", spec.summary}};
  if constexpr (requires { spec.source; }) {
    json["source"] = spec.source;
    json["cost"] = spec.cost;
  }
  json["options"] = options;
  return json;
}

void PrintJson() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const learners::LearnerSpec& learner : learners::AllLearners()) {
    all.push_back(Json(learner));
    all.back()["kind"] = "online";
    all.back()["whole_model"] = learner.whole_model.empty() ? "never" : learner.whole_model;
  }
  for (const SolverSpec& solver : learners::batch::AllSolvers()) {
    all.push_back(Json(solver));
    all.back()["kind"] = "batch";
  }
  for (const DistributedSpec& solver : learners::distributed::AllSolvers()) {
    all.push_back(Json(solver));
    all.back()["kind"] = "distributed";
  }
  WriteJson(all);
}

Result<int> Learners(const LearnersFlags& flags) {
  flags.json ? PrintJson() : PrintText();
  return 0;
}

}  // namespace

void AddLearners(CommandLine& line) {
  Command command =
      line.Add("learners", "List the learners and batch solvers with their options, sources and costs");
  LearnersFlags& flags = command.Runs(Learners);
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
