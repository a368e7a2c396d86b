// thresher feedback: teach messages that were classified or taught before, by their Message-IDs alone.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/teach_tally.h"
#include "pipeline/commands/writing.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "pipeline/serve/daemon_client.h"
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

// Teaches by replies: the model in this process, or by the daemon that owns it.
class ReplyTeacher {
 public:
  static Result<ReplyTeacher> Open(const Settings& settings) {
    ReplyTeacher teacher;
    teacher.user_ = settings.user;
    auto daemon = DaemonClient::Find(settings);
    if (!daemon) return tl::unexpected(daemon.error());
    if (*daemon) {
      teacher.daemon_.emplace(**std::move(daemon));
      return teacher;
    }
    auto model = OpenModel(ModelDirectory(settings), settings, CommandAccess(settings));
    if (!model) return tl::unexpected(model.error());
    teacher.model_ = *std::move(model);
    teacher.spool_.emplace(SpoolOf(settings, teacher.model_->identity().MakeIdSpace()));
    auto spooled = teacher.spool_->List();
    if (!spooled) return tl::unexpected(spooled.error());
    teacher.spooled_ = *std::move(spooled);
    return teacher;
  }

  Result<TeachResult> Teach(const Reply& reply) {
    if (daemon_) return daemon_->Feedback(reply);
    const auto meant = FindMeant(*model_, *spool_, spooled_, user_, reply);
    if (!meant) return tl::unexpected(meant.error());
    if (!meant->features) return TeachResult::kKnown;
    return pipeline::Teach(*model_, *spool_, *meant->features, reply.label, meant->keys);
  }

  Result<void> Finish() { return model_ ? model_->Checkpoint() : Result<void>(); }

 private:
  ReplyTeacher() = default;

  std::string user_;
  std::optional<DaemonClient> daemon_;  // if one owns the model
  std::unique_ptr<Model> model_;        // else
  std::optional<Spool> spool_;
  Spool::Listing spooled_;
};

Result<int> TeachOne(const FeedbackFlags& flags, ReplyTeacher& teacher) {
  const Reply reply{flags.spam ? Label::kSpam : Label::kHam, tokenizer::CleanMessageId(flags.id), flags.key};
  const auto taught = teacher.Teach(reply);
  if (!taught) return tl::unexpected(taught.error());
  if (auto done = teacher.Finish(); !done) return tl::unexpected(done.error());
  fmt::print("<{}> {} as {}\n", Printable(reply.message_id), WordsOf(*taught).one, NameOf(reply.label));
  return 0;
}

Result<int> TeachList(const std::string& path, ReplyTeacher& teacher) {
  TeachTally tally;
  int exit_code = 0;
  SayAwaited(path, "lines `spam MESSAGE-ID` or `ham MESSAGE-ID`");
  const auto read = ForEachReply(path, [&](const Result<Reply>& reply, size_t line) -> Result<void> {
    const auto taught = reply ? teacher.Teach(*reply) : tl::unexpected(reply.error());
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
  if (auto done = teacher.Finish(); !done) return tl::unexpected(done.error());
  if (!read) return tl::unexpected(read.error());
  fmt::print("{}\n", tally.Text());
  return exit_code;
}

Result<int> Feedback(const FeedbackFlags& flags) {
  if (flags.list.empty() && flags.id.empty())
    return tl::unexpected(Error{kUsage, "--spam and --ham need --id; see `thresher feedback --help`"});
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto teacher = ReplyTeacher::Open(*settings);
  if (!teacher) return tl::unexpected(teacher.error());
  return flags.list.empty() ? TeachOne(flags, *teacher) : TeachList(flags.list, *teacher);
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
            "File with one line `spam MESSAGE-ID [KEY]` or `ham MESSAGE-ID [KEY]` for each message, a "
            "Message-ID with spaces between < and >; - is standard input");
  label.RequireOne("spam or ham? Give --spam or --ham with --id MESSAGE-ID, or a list with --list FILE");
  command.RefuseArgument(
      "feedback takes Message-IDs, by --id or --list; `thresher learn --spam FILE` teaches a file");
  command.Add("--id", &flags.id, "Message-ID of the message, with or without <>").Excludes({"--list"});
  command
      .Add("--key", &flags.key,
           "The key= of its X-Thresher header; needed if several messages have this Message-ID")
      .Needs("--id");
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
}

}  // namespace thresher::pipeline
