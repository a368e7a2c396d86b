// thresher forget: take messages out of the log, as if they had never been taught once the model is rebuilt.
// A model that follows a shared log is not rebuilt: its weights keep them.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/commands/model_to_change.h"
#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/terminal/awaiting.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

struct ForgetFlags {
  ModelFlags model;
  InputFlags input;
  std::string id;
  std::string key;
  std::string list;
  bool all = false;
};

// The messages to forget. What is not known is reported and does not keep the others from being forgotten.
class Meant {
 public:
  int exit_code() const { return exit_code_; }
  const std::vector<MessageKey>& keys() const { return keys_; }

  Result<void> Add(const Result<MessageKey>& key, const std::string& place) {
    if (key) {
      keys_.push_back(*key);
    } else if (IsOfOneReply(key.error())) {
      exit_code_ = Fail({key.error().exit_code, place + key.error().message});
    } else {
      return tl::unexpected(key.error());
    }
    return {};
  }

 private:
  std::vector<MessageKey> keys_;
  int exit_code_ = 0;
};

Result<int> Collect(const ForgetFlags& flags, ModelToChange& model, Meant& meant) {
  if (!flags.id.empty()) {
    if (auto added = meant.Add(model.TaughtKey(tokenizer::CleanMessageId(flags.id), flags.key), ""); !added)
      return tl::unexpected(added.error());
    return meant.exit_code();
  }
  if (!flags.list.empty()) {
    SayAwaited(flags.list, "lines with a Message-ID each");
    const auto read = ForEachLine(flags.list, [&](const std::vector<std::string_view>& words, size_t line) {
      const std::string digest(words.size() > 1 ? words[1] : "");
      return meant.Add(model.TaughtKey(ListedMessageId(words[0]), digest),
                       fmt::format("{}:{}: ", flags.list, line));
    });
    if (!read) return tl::unexpected(read.error());
    return meant.exit_code();
  }
  const auto tally = flags.input.ForEach([&](const RawMessage& message) {
    return meant.Add(model.TaughtKey(model.Read(message.bytes, flags.input.kind())), message.name + ": ");
  });
  if (!tally) return tl::unexpected(tally.error());
  if (tally->IsEmpty()) return tl::unexpected(NoMessage());
  const int read = tally->ExitCode();
  return read != 0 ? read : meant.exit_code();
}

void Say(const ForgottenMessages& forgotten, bool follows_log) {
  const auto plural = [](uint64_t count) { return count == 1 ? "" : "s"; };
  if (forgotten.examples > 0) {
    fmt::print("{} message{} forgotten: {} example{} left the log\n{}\n", forgotten.messages,
               plural(forgotten.messages), forgotten.examples, plural(forgotten.examples),
               follows_log
                   ? "the weights keep what they learned: a model that follows a shared log cannot be "
                     "rebuilt (docs/cluster.md)"
                   : "the weights keep what they learned until `thresher rebuild`; then it is as if "
                     "they were never taught");
  }
  if (forgotten.spooled > 0)
    fmt::print("{} classified message{} left the spool\n", forgotten.spooled, plural(forgotten.spooled));
}

Result<int> ForgetAll(ModelToChange& model, bool follows_log) {
  const auto forgotten = model.ForgetAllOfUser();
  if (!forgotten) return tl::unexpected(forgotten.error());
  Say(*forgotten, follows_log);
  return 0;
}

Result<int> ForgetSome(const ForgetFlags& flags, ModelToChange& model, bool follows_log) {
  Meant meant;
  auto exit_code = Collect(flags, model, meant);
  if (!exit_code || meant.keys().empty()) return exit_code;
  const auto forgotten = model.ForgetThese(meant.keys());
  if (!forgotten) return tl::unexpected(forgotten.error());
  if (forgotten->examples == 0 && forgotten->spooled == 0)
    return tl::unexpected(Error{kNoInput, "the messages have left the log meanwhile"});
  Say(*forgotten, follows_log);
  return exit_code;
}

Result<int> Forget(const ForgetFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  if (flags.all && settings->user.empty())
    return tl::unexpected(Error{kUsage, "--all needs --user: it forgets all messages of that user"});
  const auto model = ModelToChange::Open(*settings, ModelToChange::IfMissing::kRefuse);
  if (!model) return tl::unexpected(model.error());
  const auto follows_log = (*model)->FollowsLog();
  if (!follows_log) return tl::unexpected(follows_log.error());
  return flags.all ? ForgetAll(**model, *follows_log) : ForgetSome(flags, **model, *follows_log);
}

}  // namespace

void AddForget(CommandLine& line) {
  Command command = line.Add("forget", "Take trained messages out of the log, for good");
  command.Footer(
      "Takes away the features of the messages, and all that was taught of them, corrections included, from\n"
      "log and disk. Backups and exports keep them. The weights keep what they learned until `thresher\n"
      "rebuild`, which makes the model that was never taught them; one that follows a shared log cannot be\n"
      "rebuilt. Taught again, such a message is new.\n"
      "Exit code: 0; 65 if several messages have the Message-ID; 66 if a message was not taught or has\n"
      "expired (the others are forgotten); 75 if another process is writing to the model.");
  ForgetFlags& flags = command.Runs(Forget);
  flags.input.AddTo(command);
  command.Add("--id", &flags.id, "Message-ID of the message, with or without <>").Excludes({"PATH"});
  command
      .Add("--key", &flags.key,
           "The key= of its X-Thresher header; needed if several messages have this Message-ID")
      .Needs("--id");
  command
      .Add("--list", &flags.list,
           "File with one line `MESSAGE-ID [KEY]` for each message; - is standard input")
      .Excludes({"--id", "PATH"});
  command.Add("--all", &flags.all, "All messages of --user, classified ones too")
      .Excludes({"--id", "--list", "PATH"});
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
}

}  // namespace thresher::pipeline
