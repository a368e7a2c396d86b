// thresher learners: the learners and batch solvers with their options.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "learners/batch/solvers.h"
#include "learners/distributed/solver.h"
#include "learners/registry.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"

namespace thresher::pipeline {
namespace {

struct LearnersFlags {
  std::string name;  // of the only one to show; "": all
  bool json = false;

  bool Want(std::string_view spec) const { return name.empty() || name == spec; }
};

// A learner or a batch solver; one for several processes has no source and cost of its own.
template <class Spec>
void PrintText(const Spec& spec) {
  fmt::print("{}\n  {}\n", spec.name, spec.summary);
  if constexpr (requires { spec.source; }) fmt::print("  source: {}\n  cost:   {}\n", spec.source, spec.cost);
  if constexpr (requires { spec.whole_model; }) {
    if (!spec.whole_model.empty())
      fmt::print("  trains with the whole model in memory: {}\n", spec.whole_model);
  }
  for (const learners::OptionSpec& option : spec.options) {
    fmt::print("    {:<17} {:<10} {} ({})\n", option.name, option.default_value, option.help,
               option.Expected());
  }
}

// Returns how many.
size_t PrintText(const LearnersFlags& flags) {
  size_t printed = 0;
  const auto print = [&](std::string_view heading, const auto& specs) {
    bool is_first = true;
    for (const auto& spec : specs) {
      if (!flags.Want(spec.name)) continue;
      if (std::exchange(is_first, false)) fmt::print("{}{}:\n\n", printed > 0 ? "\n" : "", heading);
      PrintText(spec);
      ++printed;
    }
  };
  print("Online learners, for `learner.name`", learners::AllLearners());
  print("Batch solvers, for `thresher fit`", learners::batch::AllSolvers());
  print("For several processes, for `thresher fit --distributed`", learners::distributed::AllSolvers());
  return printed;
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

// Returns how many.
size_t PrintJson(const LearnersFlags& flags) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto add = [&](const auto& specs, std::string_view kind) {
    for (const auto& spec : specs) {
      if (!flags.Want(spec.name)) continue;
      all.push_back(Json(spec));
      all.back()["kind"] = kind;
      if constexpr (requires { spec.whole_model; })
        all.back()["whole_model"] = spec.whole_model.empty() ? "never" : spec.whole_model;
    }
  };
  add(learners::AllLearners(), "online");
  add(learners::batch::AllSolvers(), "batch");
  add(learners::distributed::AllSolvers(), "distributed");
  if (!all.empty()) WriteJson(all);
  return all.size();
}

Result<int> Learners(const LearnersFlags& flags) {
  const size_t printed = flags.json ? PrintJson(flags) : PrintText(flags);
  if (printed > 0) return 0;
  return tl::unexpected(Error{
      kUsage, fmt::format("unknown learner or solver \"{}\"; `thresher learners` lists them", flags.name)});
}

}  // namespace

void AddLearners(CommandLine& line) {
  Command command =
      line.Add("learners", "List the learners and batch solvers with their options, sources and costs");
  LearnersFlags& flags = command.Runs(Learners);
  command.Add("NAME", &flags.name, "Only the learner or solver of this name (default: all)");
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
