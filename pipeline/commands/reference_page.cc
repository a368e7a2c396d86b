#include "pipeline/commands/reference_page.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "learners/batch/solvers.h"
#include "learners/registry.h"
#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kOrigin = "<!-- Made by scripts/make-reference from the program. Do not edit. -->";

// As the text of a table's cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

void PrintTableHead(std::string_view what) {
  fmt::print("\n| {} | value | default | meaning |\n|---|---|---|---|\n", what);
}

void PrintRow(const schema::OptionSpec& option, std::string_view default_value) {
  const std::string shown = default_value.empty() ? "empty" : fmt::format("`{}`", default_value);
  fmt::print("| `{}` | {} | {} | {} |\n", option.name, Cell(option.Expected()), shown, Cell(option.help));
}

void PrintPresetsTable() {
  fmt::print("\n## Presets\n\n`preset` or `--preset` gives values to several settings at once.\n\n");
  fmt::print("| preset | purpose | values |\n|---|---|---|\n");
  for (const Preset& preset : AllPresets()) {
    std::string values;
    for (const Preset::Value& value : preset.values)
      values += fmt::format("{}`{}={}`", values.empty() ? "" : ", ", value.key, value.text);
    fmt::print("| `{}` | {} | {} |\n", preset.name, preset.help, values.empty() ? "none" : values);
  }
}

// A learner or a batch solver.
template <class Spec>
void PrintSpec(const Spec& spec, std::string_view whole_model) {
  fmt::print("\n### {}\n\n{}.\n\n", spec.name, spec.summary);
  fmt::print("- Source: {}.\n- Cost of {}: {}.\n", spec.source,
             std::is_same_v<Spec, learners::LearnerSpec> ? "a step" : "an epoch", spec.cost);
  if (!whole_model.empty()) fmt::print("- Trains with the whole model in memory: {}.\n", whole_model);
  if (spec.options.empty()) return;
  PrintTableHead("option");
  for (const schema::OptionSpec& option : spec.options) PrintRow(option, option.default_value);
}

}  // namespace

void PrintSettingsPage() {
  fmt::print("{}\n", kOrigin);
  fmt::print(
      R"(# Settings

Settings come from a configuration file and from the command line. The file is the one that `--config`
names, or else the first that exists of `$XDG_CONFIG_HOME/thresher/config.yaml` (by default
`~/.config/thresher/config.yaml`) and `/etc/thresher/config.yaml`. It is YAML:

    thresholds:
      spam: 0.99
    learner:
      name: ftrl
      options:
        l1: 0.001

On the command line, `--set thresholds.spam=0.99` sets any setting; some settings have a flag of their
own. The command line overrides the file, and both override a [preset](#presets). `thresher config`
prints a file with all settings and their defaults; `thresher config --effective` prints the values in
force and where each was set.

The options of a learner, `learner.options.NAME`, are in [learner-options.md](learner-options.md).
)");
  std::string_view section = "none";
  for (const Setting& setting : AllSettings()) {
    if (setting.section() != section) {
      section = setting.section();
      fmt::print("\n## {}\n", section.empty() ? setting.key() : section.substr(0, section.size() - 1));
      PrintTableHead("setting");
    }
    const std::string_view in_words = setting.option.default_value;
    PrintRow(setting.option, in_words.empty() ? setting.Text(Settings()) : in_words);
  }
  PrintPresetsTable();
}

void PrintLearnerOptionsPage() {
  fmt::print("{}\n", kOrigin);
  fmt::print(
      R"(# Options of learners and batch solvers

[learners.md](learners.md) gives the formulas of the learners, [fitting.md](fitting.md) those of the
batch solvers.

## Online learners

The setting `learner.name` chooses the learner of a new model; `learner.options.NAME` sets one of its
options, as in `--set learner.options.l1=0.001`.
)");
  for (const learners::LearnerSpec& learner : learners::AllLearners())
    PrintSpec(learner, learner.whole_model);
  fmt::print(
      R"(
## Batch solvers

`thresher fit --solver NAME` chooses the solver; `--option NAME=VALUE` sets one of its options.
)");
  for (const learners::batch::SolverSpec& solver : learners::batch::AllSolvers()) PrintSpec(solver, "");
}

}  // namespace thresher::pipeline
