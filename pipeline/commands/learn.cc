// thresher learn: teach messages.
#include <fmt/format.h>

#include <array>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/spool.h"
#include "pipeline/teaching.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  InputFlags input;
  bool spam = false;
  bool ham = false;
};

Result<int> Learn(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const Label label = flags.spam ? Label::kSpam : Label::kHam;
  auto model = Model::OpenOrCreate(ModelDirectory(*settings), *settings, TeachingAccess(*settings));
  if (!model) return tl::unexpected(model.error());
  const Spool spool = SpoolOf(*settings, (*model)->id_space());
  tokenizer::Tokenizer tokenizer = (*model)->MakeTokenizer();
  tokenizer::Features features;
  std::array<size_t, 3> tally = {};  // by Teaching
  const auto unreadable = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features);
    const auto taught = Teach(**model, spool, features, label, tokenizer::KeyOf(message.bytes));
    if (!taught) return tl::unexpected(taught.error());
    ++tally[static_cast<size_t>(*taught)];
    return {};
  });
  // What was acknowledged stays, whatever ended the run.
  if (auto done = (*model)->Checkpoint(); !done) return tl::unexpected(done.error());
  if (!unreadable) return tl::unexpected(unreadable.error());
  fmt::print("{}: {} learned, {} corrected, {} known already\n", flags.spam ? "spam" : "ham", tally[0],
             tally[1], tally[2]);
  return *unreadable > 0 ? kNoInput : 0;
}

}  // namespace

void AddLearn(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("learn", "Teach messages as spam or as ham");
  command->footer(
      "A message taught again under the same label is left alone; under the other label it corrects the "
      "model. The command has\n"
      "ended well only when everything it was given is on disk.\n"
      "Exit code: 0, 66 if a message could not be read (the others are taught), 75 if another process is "
      "writing.");
  auto flags = std::make_shared<Flags>();
  auto* label = command->add_option_group("label", "What the messages are");
  label->add_flag("--spam", flags->spam, "They are spam");
  label->add_flag("--ham", flags->ham, "They are ham");
  label->require_option(1);
  flags->model.AddTo(command);
  flags->model.AddSetting(command, "--learner", "learner.name",
                          "Learner for a new model; `thresher learners` lists them");
  flags->input.AddTo(command);
  flags->model.AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->callback([=] { *exit_code = Run([&] { return Learn(*flags); }); });
}

}  // namespace thresher::pipeline
