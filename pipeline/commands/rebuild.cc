// thresher rebuild: make a model again from its log, with the same learner or another.
#include <fmt/format.h>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/model_identity.h"
#include "pipeline/progress.h"
#include "pipeline/teaching.h"

namespace thresher::pipeline {
namespace {

// Opening must not refuse what the rebuild is for.
Settings WithoutLearner(Settings settings) {
  std::erase_if(settings.named, [](const auto& entry) { return entry.first.starts_with("learner."); });
  settings.learner_options.clear();
  return settings;
}

Result<void> Print(const char* what, Model& model) {
  const auto statistics = model.Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  fmt::print("{:<4}{} ({}): {} ham and {} spam taught, {} non-zero weights\n", what, model.learner().Name(),
             model.learner().OptionsText(), statistics->ham, statistics->spam, statistics->nonzeros);
  return {};
}

Result<void> RebuildAs(std::unique_ptr<learners::Learner> learner, Model& model) {
  if (auto printed = Print("was", model); !printed) return printed;
  {
    Progress progress("examples", model.last_seq());
    const auto rebuilt = model.Rebuild(std::move(learner), [&](uint64_t seq) { progress.Set(seq); });
    if (!rebuilt) return rebuilt;
  }
  if (auto done = model.Compact(); !done) return done;
  return Print("is", model);
}

Result<int> Rebuild(const ModelFlags& flags) {
  const Result<Settings> settings = flags.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto model =
      Model::OpenExisting(ModelDirectory(*settings), WithoutLearner(*settings), TeachingAccess(*settings));
  if (!model) return tl::unexpected(model.error());
  auto learner = WantedLearner(*settings, (*model)->learner());
  if (!learner) return tl::unexpected(learner.error());
  if (auto done = RebuildAs(*std::move(learner), **model); !done) return tl::unexpected(done.error());
  return 0;
}

}  // namespace

void AddRebuild(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "rebuild", "Make a model again from the log of what it was taught, with the same learner or another");
  command->footer(
      "Features and what was taught stay; `--learner NAME` and `--set learner.options.NAME=VALUE` change how "
      "it is learned. What is not\n"
      "named stays as it was. Until it is done, others see the model as it was; so does whoever opens it "
      "after "
      "a crash.\n"
      "Exit code: 0, 66 if there is no model, 75 if another process is writing.");
  auto flags = std::make_shared<ModelFlags>();
  flags->AddTo(command);
  flags->AddSetting(command, "--learner", "learner.name",
                    "Learner to rebuild it with (default: its own); `thresher learners` lists them");
  flags->AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->callback([=] { *exit_code = Run([&] { return Rebuild(*flags); }); });
}

}  // namespace thresher::pipeline
