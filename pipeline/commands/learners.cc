// thresher learners: the table of learners with their options.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "learners/registry.h"
#include "pipeline/commands/command.h"

namespace thresher::pipeline {
namespace {

std::string Range(const learners::OptionSpec& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, " | "));
  return fmt::format("{}{:g} … {:g}", option.min_excluded ? "> " : "", option.min, option.max);
}

void PrintText() {
  for (const learners::LearnerSpec& learner : learners::AllLearners()) {
    fmt::print("{}\n  {}\n  source: {}\n  cost:   {}\n", learner.name, learner.summary, learner.source,
               learner.cost);
    if (!learner.whole_model.empty())
      fmt::print("  learns with the whole model in memory: {}\n", learner.whole_model);
    for (const learners::OptionSpec& option : learner.options) {
      fmt::print("    {:<17} {:<10} {}  ({})\n", option.name, option.default_value, option.help,
                 Range(option));
    }
  }
}

void PrintJson() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const learners::LearnerSpec& learner : learners::AllLearners()) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const learners::OptionSpec& option : learner.options) {
      options.push_back({{"name", option.name},
                         {"default", option.default_value},
                         {"range", Range(option)},
                         {"help", option.help}});
    }
    all.push_back({{"name", learner.name},
                   {"summary", learner.summary},
                   {"source", learner.source},
                   {"cost", learner.cost},
                   {"whole_model", learner.whole_model.empty() ? "never" : learner.whole_model},
                   {"options", options}});
  }
  fmt::print("{}\n", all.dump(2));
}

}  // namespace

void AddLearners(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("learners", "List the learners with their options, sources and costs");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([=] {
    *exit_code = Run([&]() -> Result<int> {
      *json ? PrintJson() : PrintText();
      return 0;
    });
  });
}

}  // namespace thresher::pipeline
