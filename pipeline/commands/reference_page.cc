#include "pipeline/commands/reference_page.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "learners/batch/solvers.h"
#include "learners/distributed/solver.h"
#include "learners/registry.h"
#include "pipeline/settings/presets.h"

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

std::string TableHead(std::string_view what) {
  return fmt::format("\n| {} | value | default | meaning |\n|---|---|---|---|\n", what);
}

std::string Row(const schema::OptionSpec& option, std::string_view default_value) {
  const std::string shown = default_value.empty() ? "empty" : fmt::format("`{}`", default_value);
  return fmt::format("| `{}` | {} | {} | {} |\n", option.name, Cell(option.Expected()), shown,
                     Cell(option.help));
}

std::string PresetsTable() {
  std::string table =
      "\n## Presets\n\n`preset` or `--preset` gives values to several settings at once.\n\n"
      "| preset | purpose | values |\n|---|---|---|\n";
  for (const Preset& preset : AllPresets()) {
    std::string values;
    for (const Preset::Value& value : preset.values)
      values += fmt::format("{}`{}={}`", values.empty() ? "" : ", ", value.key, value.text);
    table += fmt::format("| `{}` | {} | {} |\n", preset.name, preset.help, values.empty() ? "none" : values);
  }
  return table;
}

// A learner or a batch solver; one for several processes has no source and cost of its own.
template <class Spec>
std::string Section(const Spec& spec, std::string_view whole_model) {
  std::string text = fmt::format("\n### {}\n\n{}.\n", spec.name, spec.summary);
  if constexpr (requires { spec.source; }) {
    text += fmt::format("\n- Source: {}.\n- Cost of {}: {}.\n", spec.source,
                        std::is_same_v<Spec, learners::LearnerSpec> ? "a step" : "an epoch", spec.cost);
  }
  if (!whole_model.empty())
    text += fmt::format("- Trains with the whole model in memory: {}.\n", whole_model);
  if (spec.options.empty()) return text;
  text += TableHead("option");
  for (const schema::OptionSpec& option : spec.options) text += Row(option, option.default_value);
  return text;
}

}  // namespace

std::string DefaultOf(const Setting& setting) {
  const std::string_view in_words = setting.option.default_value;
  return in_words.empty() ? setting.Text(Settings()) : std::string(in_words);
}

std::string_view SettingsIntroduction() {
  return R"(Settings come from a configuration file and from the command line. The file is the one that `--config`
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
force and where each was set. A model that exists keeps its learner, its rehearsal, its features and what its log
holds, whatever else is set: where they differ, it prints these, marked with "the model".
)";
}

std::string SettingsPage() {
  std::string page = fmt::format(
      "{}\n# Settings\n\n{}\nThe options of a learner, `learner.options.NAME`, are in "
      "[learner-options.md](learner-options.md).\n",
      kOrigin, SettingsIntroduction());
  std::string_view section = "none";
  for (const Setting& setting : AllSettings()) {
    if (setting.section() != section) {
      section = setting.section();
      page +=
          fmt::format("\n## {}\n", section.empty() ? setting.key() : section.substr(0, section.size() - 1));
      page += TableHead("setting");
    }
    page += Row(setting.option, DefaultOf(setting));
  }
  return page + PresetsTable();
}

std::string LearnerOptionsPage() {
  std::string page = fmt::format(
      R"({}
# Options of learners and batch solvers

[learners.md](learners.md) gives the formulas of the learners, [fitting.md](fitting.md) those of the
batch solvers.

## Online learners

The setting `learner.name` chooses the learner of a new model; `learner.options.NAME` sets one of its
options, as in `--set learner.options.l1=0.001`.
)",
      kOrigin);
  for (const learners::LearnerSpec& learner : learners::AllLearners())
    page += Section(learner, learner.whole_model);
  page += R"(
## Batch solvers

`thresher fit --solver NAME` chooses the solver; `--option NAME=VALUE` sets one of its options.
)";
  for (const learners::batch::SolverSpec& solver : learners::batch::AllSolvers()) page += Section(solver, "");
  page += R"(
## Solvers for several processes

`thresher fit --distributed --solver NAME` chooses one of these, whose options may be fewer than those of the
batch solver of the same name.
)";
  using learners::distributed::SolverSpec;
  for (const SolverSpec& solver : learners::distributed::AllSolvers()) page += Section(solver, "");
  return page;
}

}  // namespace thresher::pipeline
