// thresher feedback: teach messages that were classified or taught before, by their Message-IDs alone.
#include <fmt/format.h>

#include <string>

#include "pipeline/commands/command.h"
#include "pipeline/commands/model_to_change.h"
#include "pipeline/commands/teach_tally.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/terminal/awaiting.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct FeedbackFlags {
  ModelFlags model;
  bool spam = false;
  bool ham = false;
  std::string id;
  std::string key;
  std::string list;
};

Result<int> TeachOne(const FeedbackFlags& flags, ModelToChange& model) {
  const Reply reply{flags.spam ? Label::kSpam : Label::kHam, tokenizer::CleanMessageId(flags.id), flags.key};
  const auto taught = model.TeachReply(reply);
  if (!taught) return tl::unexpected(taught.error());
  if (auto done = model.Finish(); !done) return tl::unexpected(done.error());
  fmt::print("<{}> {} as {}\n", Printable(reply.message_id), WordsOf(*taught).one, NameOf(reply.label));
  return 0;
}

Result<int> TeachList(const std::string& path, ModelToChange& model) {
  TeachTally tally;
  int exit_code = 0;
  SayAwaited(path, "lines `spam MESSAGE-ID` or `ham MESSAGE-ID`");
  const auto read = ForEachReply(path, [&](const Result<Reply>& reply, size_t line) -> Result<void> {
    const auto taught = reply ? model.TeachReply(*reply) : tl::unexpected(reply.error());
    if (taught) {
      tally.Add(*taught);
      return {};
    }
    if (!IsOfOneReply(taught.error())) return tl::unexpected(taught.error());
    exit_code =
        Fail({taught.error().exit_code, fmt::format("{}:{}: {}", path, line, taught.error().message)});
    return {};
  });
  // What was acknowledged stays, whatever ended the run.
  if (auto done = model.Finish(); !done) return tl::unexpected(done.error());
  if (!read) return tl::unexpected(read.error());
  fmt::print("{}\n", tally.Text());
  return exit_code;
}

Result<int> Feedback(const FeedbackFlags& flags) {
  if (flags.list.empty() && flags.id.empty())
    return tl::unexpected(Error{kUsage, "--spam and --ham need --id; see `thresher feedback --help`"});
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto model = ModelToChange::Open(*settings, ModelToChange::IfMissing::kRefuse);
  if (!model) return tl::unexpected(model.error());
  return flags.list.empty() ? TeachOne(flags, **model) : TeachList(flags.list, **model);
}

}  // namespace

void AddFeedback(CommandLine& line) {
  Command command =
      line.Add("feedback", "Train on messages that were classified or trained before, by Message-ID");
  command.Footer(
      "filter and classify keep the features of each message for some weeks (settings spool.*), and the\n"
      "log keeps those of trained messages. So the Message-ID is enough to train on a message.\n"
      "Exit code: 0; 65 if several messages have the Message-ID, what was kept of a message is damaged, or "
      "a\n"
      "line of the list is malformed; 66 if no message with a Message-ID is known; 74 if the spool cannot "
      "be\n"
      "read; 75 if another process is writing to the model. All lines of\n"
      "a list are handled, even after an error.");
  FeedbackFlags& flags = command.Runs(Feedback);
  FlagGroup label = command.AddGroup("label", "Label of the message, or a list of messages");
  label.Add("--spam", &flags.spam, "The message is spam");
  label.Add("--ham", &flags.ham, "The message is ham");
  label.Add("--list", &flags.list,
            "File with one line `spam MESSAGE-ID [KEY]` or `ham MESSAGE-ID [KEY]` for each message; a "
            "Message-ID with spaces stands between < and >, and they do not count; - is standard input");
  label.RequireOne("spam or ham? Give --spam or --ham with --id MESSAGE-ID, or a list with --list FILE");
  command.RefuseArgument(
      "feedback takes Message-IDs, by --id or --list; `thresher learn --spam FILE` teaches a file");
  command.Add("--id", &flags.id, "Message-ID of the message, with or without <>; spaces in it do not count")
      .Excludes({"--list"});
  command
      .Add("--key", &flags.key,
           "The key= of its X-Thresher header; needed if several messages have this Message-ID")
      .Needs("--id");
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
}

}  // namespace thresher::pipeline
