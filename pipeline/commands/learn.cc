// thresher learn: teach messages.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/spool.h"
#include "pipeline/teaching.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  InputFlags input;
  bool spam = false;
  bool ham = false;
  bool stream = false;
};

// A model and what teaching it takes; opened for the first message, so that nothing to learn makes no model.
class Teacher {
 public:
  Teacher(const Settings& settings, bool streamed) : settings_(&settings), streamed_(streamed) {}

  Result<Teaching> Learn(std::string_view message, tokenizer::Kind kind, Label label) {
    if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
    tokenizer_->Tokenize(message, kind, &features_, settings_->user);
    return Teach(*model_, *spool_, features_, label, tokenizer::KeyOf(message, settings_->user), streamed_);
  }

  Result<void> Finish() { return model_ ? model_->Checkpoint() : Result<void>(); }

 private:
  Result<void> Open() {
    if (model_) return {};
    auto model = Model::OpenOrCreate(ModelDirectory(*settings_), *settings_, TeachingAccess(*settings_));
    if (!model) return tl::unexpected(model.error());
    model_ = *std::move(model);
    spool_.emplace(SpoolOf(*settings_, model_->id_space()));
    tokenizer_.emplace(model_->MakeTokenizer());
    return {};
  }

  const Settings* settings_;
  bool streamed_;
  std::unique_ptr<Model> model_;
  std::optional<Spool> spool_;
  std::optional<tokenizer::Tokenizer> tokenizer_;
  tokenizer::Features features_;
};

Result<int> Learn(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const Label label = flags.spam ? Label::kSpam : Label::kHam;
  Teacher teacher(*settings, flags.stream);
  std::array<size_t, 3> tally = {};  // by Teaching
  const auto unreadable = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    const auto taught = teacher.Learn(message.bytes, flags.input.kind(), label);
    if (!taught) return tl::unexpected(taught.error());
    ++tally[static_cast<size_t>(*taught)];
    return {};
  });
  // What was acknowledged stays, whatever ended the run.
  if (auto done = teacher.Finish(); !done) return tl::unexpected(done.error());
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
  command->add_flag(
      "--stream", flags->stream,
      "They are all that came in, in its order, whatever the verdicts were: probabilities learn "
      "from them too");
  flags->model.AddTo(command);
  flags->model.AddUser(command);
  flags->model.AddSetting(command, "--learner", "learner.name",
                          "Learner for a new model; `thresher learners` lists them");
  flags->input.AddTo(command);
  flags->model.AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->callback([=] { *exit_code = Run([&] { return Learn(*flags); }); });
}

}  // namespace thresher::pipeline
