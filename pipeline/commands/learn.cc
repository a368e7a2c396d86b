// thresher learn: teach messages.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "pipeline/commands/command.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
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

  Result<TeachResult> Learn(std::string_view message, tokenizer::Kind kind, Label label) {
    if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
    tokenizer_->Tokenize(message, kind, &features_, settings_->user);
    return Teach(*model_, *spool_, features_, label, tokenizer::KeyOf(message, settings_->user), streamed_);
  }

  Result<void> Finish() { return model_ ? model_->Checkpoint() : Result<void>(); }

 private:
  Result<void> Open() {
    if (model_) return {};
    auto model = OpenOrCreateModel(ModelDirectory(*settings_), *settings_, TeachingAccess(*settings_));
    if (!model) return tl::unexpected(model.error());
    model_ = *std::move(model);
    spool_.emplace(SpoolOf(*settings_, model_->identity().MakeIdSpace()));
    tokenizer_.emplace(model_->identity().MakeTokenizer());
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
  std::array<size_t, 3> tally = {};  // by TeachResult
  const auto read = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    const auto taught = teacher.Learn(message.bytes, flags.input.kind(), label);
    if (!taught) return tl::unexpected(taught.error());
    ++tally[static_cast<size_t>(*taught)];
    return {};
  });
  // What was acknowledged stays, whatever ended the run.
  if (auto done = teacher.Finish(); !done) return tl::unexpected(done.error());
  if (!read) return tl::unexpected(read.error());
  fmt::print("{}: {} learned, {} corrected, {} known already{}\n", flags.spam ? "spam" : "ham", tally[0],
             tally[1], tally[2], read->no_mail > 0 ? fmt::format(", {} no mail", read->no_mail) : "");
  return read->ExitCode();
}

}  // namespace

void AddLearn(CommandLine& line) {
  Command command = line.Add("learn", "Train a model on messages as spam or as ham");
  command.Footer(
      "A message that was trained before with the same label is skipped; with the other label, the model\n"
      "is corrected. The command succeeds only when all its examples are on disk.\n"
      "Exit code: 0; 66 if a message could not be read (the others are trained); 65 if there was something,\n"
      "but no mail; 75 if another process is writing to the model.");
  Flags& flags = command.Runs(Learn);
  FlagGroup label = command.AddGroup("label", "Label of the messages");
  label.Add("--spam", &flags.spam, "The messages are spam");
  label.Add("--ham", &flags.ham, "The messages are ham");
  label.RequireOne();
  command.Add(
      "--stream", &flags.stream,
      "The messages are all mail that arrived, in that order: the probabilities are calibrated on them, too");
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--learner", "learner.name");
  flags.input.AddTo(command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
}

}  // namespace thresher::pipeline
