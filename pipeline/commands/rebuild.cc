// thresher rebuild: make a model again from its log, with the same learner or another.
#include <fmt/format.h>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/model_identity.h"
#include "pipeline/progress.h"
#include "pipeline/teaching.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  bool partial = false;
  bool corrected = false;
};

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

Result<void> RebuildAs(std::unique_ptr<learners::Learner> learner, Model::Labels labels, Model& model) {
  if (auto printed = Print("was", model); !printed) return printed;
  {
    Progress progress("examples", model.last_seq());
    auto rebuilt = model.Rebuild(std::move(learner), labels, [&](uint64_t seq) { progress.Set(seq); });
    if (!rebuilt) return rebuilt;
  }
  if (auto done = model.Compact(); !done) return done;
  return Print("is", model);
}

Result<void> CheckComplete(const Model& model) {
  if (model.expired_examples() == 0) return {};
  return tl::unexpected(Error{
      kData, fmt::format("the oldest {} of {} examples have expired from the log: --partial makes a model "
                         "of the others",
                         model.expired_examples(), model.last_seq())});
}

Result<int> Rebuild(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto model =
      Model::OpenExisting(ModelDirectory(*settings), WithoutLearner(*settings), TeachingAccess(*settings));
  if (!model) return tl::unexpected(model.error());
  if (auto complete = CheckComplete(**model); !complete && !flags.partial)
    return tl::unexpected(complete.error());
  auto learner = WantedLearner(*settings, (*model)->learner());
  if (!learner) return tl::unexpected(learner.error());
  const auto labels = flags.corrected ? Model::Labels::kCorrected : Model::Labels::kAsTaught;
  if (auto done = RebuildAs(*std::move(learner), labels, **model); !done) return tl::unexpected(done.error());
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
      "Exit code: 0, 65 if a part of the log has expired, 66 if there is no model, 75 if another process is "
      "writing.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  flags->model.AddSetting(command, "--learner", "learner.name",
                          "Learner to rebuild it with (default: its own); `thresher learners` lists them");
  flags->model.AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->add_flag(
      "--corrected", flags->corrected,
      "Teach each message once, as if its last label had been its first: corrections leave no trace of "
      "the mistake");
  command->add_flag("--partial", flags->partial, "Go on where the oldest examples have expired from the log");
  command->callback([=] { *exit_code = Run([&] { return Rebuild(*flags); }); });
}

}  // namespace thresher::pipeline
