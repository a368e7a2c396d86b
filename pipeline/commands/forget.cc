// thresher forget: take messages out of the log, as if they had never been taught once the model is rebuilt.
#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/delivery/known_message.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

struct Flags {
  ModelFlags model;
  InputFlags input;
  std::string id;
  std::string key;
  std::string list;
  bool all = false;
};

constexpr char kNotTaught[] = "was taught here, or it has expired from the log";

// The messages to forget. What is not known is reported and does not keep the others from being forgotten.
class Meant {
 public:
  Meant(const Settings& settings, const Model& model, tokenizer::Kind kind)
      : user_(settings.user),
        messages_(model.Messages()),
        tokenizer_(model.identity().MakeTokenizer()),
        key_maker_(model.identity().MakeKeyMaker()),
        kind_(kind) {}

  int exit_code() const { return exit_code_; }
  const std::set<std::pair<std::string, std::string>>& keys() const { return keys_; }

  // `bare`: a Message-ID as keys have it.
  Result<void> Add(const std::string& bare, std::string_view digest, const std::string& place) {
    const auto known = messages_.KeysOf(tokenizer::MessageIdOf(user_, bare));
    if (!known) return tl::unexpected(known.error());
    const auto key = OneKey(*known, bare, digest, kNotTaught);
    if (key) {
      Take(*key);
    } else {
      exit_code_ = Fail({key.error().exit_code, place + key.error().message});
    }
    return {};
  }

  Result<void> AddMessage(const RawMessage& message) {
    tokenizer_.Tokenize(message.bytes, kind_, &features_, user_);
    const auto known = FindKnown(messages_, key_maker_.KeysOf(message.bytes, user_), features_);
    if (!known) return tl::unexpected(known.error());
    if (*known) {
      Take((*known)->key);
    } else {
      exit_code_ = Fail({kNoInput, fmt::format("{}: no such message {}", message.name, kNotTaught)});
    }
    return {};
  }

  bool Contains(const storage::Example& example) const {
    return keys_.contains({example.message_id, example.digest});
  }

 private:
  void Take(const MessageKey& key) { keys_.emplace(key.message_id, key.digest); }

  std::string user_;
  MessageHistory messages_;
  tokenizer::Tokenizer tokenizer_;
  tokenizer::KeyMaker key_maker_;
  tokenizer::Kind kind_;
  tokenizer::Features features_;
  std::set<std::pair<std::string, std::string>> keys_;
  int exit_code_ = 0;
};

Result<int> Collect(const Flags& flags, Meant& meant) {
  if (!flags.id.empty()) {
    if (auto added = meant.Add(tokenizer::CleanMessageId(flags.id), flags.key, ""); !added)
      return tl::unexpected(added.error());
    return meant.exit_code();
  }
  if (!flags.list.empty()) {
    const auto read = ForEachLine(flags.list, [&](const std::vector<std::string_view>& words, size_t line) {
      return meant.Add(ListedMessageId(words[0]), words.size() > 1 ? words[1] : "",
                       fmt::format("{}:{}: ", flags.list, line));
    });
    if (!read) return tl::unexpected(read.error());
    return meant.exit_code();
  }
  const auto tally =
      flags.input.ForEach([&](const RawMessage& message) { return meant.AddMessage(message); });
  if (!tally) return tl::unexpected(tally.error());
  if (tally->IsEmpty()) return tl::unexpected(NoMessage());
  const int read = tally->ExitCode();
  return read != 0 ? read : meant.exit_code();
}

Result<void> ForgetAndSay(Model& model, const std::function<bool(const storage::Example&)>& is_meant) {
  const auto forgotten = model.Forget(is_meant);
  if (!forgotten) return tl::unexpected(forgotten.error());
  if (forgotten->examples == 0) return {};
  fmt::print(
      "{} message{} forgotten: {} example{} left the log\n"
      "the weights keep what they learned until `thresher rebuild`; then it is as if they were never "
      "taught\n",
      forgotten->messages, forgotten->messages == 1 ? "" : "s", forgotten->examples,
      forgotten->examples == 1 ? "" : "s");
  return {};
}

// Also what was classified for the user and may come as feedback.
Result<int> ForgetUser(const Settings& settings, Model& model) {
  const auto is_theirs = [&](std::string_view message_id) {
    return tokenizer::UserAndMessageId(message_id).user == settings.user;
  };
  bool any = false;
  const auto done = ForgetAndSay(model, [&](const storage::Example& example) {
    any |= is_theirs(example.message_id);
    return is_theirs(example.message_id);
  });
  if (!done) return tl::unexpected(done.error());
  const auto kept = SpoolOf(settings, model.identity().MakeIdSpace()).RemoveIf(is_theirs);
  if (!kept) return tl::unexpected(kept.error());
  if (*kept > 0) fmt::print("{} classified message{} left the spool\n", *kept, *kept == 1 ? "" : "s");
  if (!any && *kept == 0)
    return tl::unexpected(Error{kNoInput, fmt::format("no message of {} {}", settings.user, kNotTaught)});
  return 0;
}

Result<int> ForgetMessages(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  if (flags.all && settings->user.empty())
    return tl::unexpected(Error{kUsage, "--all needs --user: it forgets all messages of that user"});
  auto model = OpenModel(ModelDirectory(*settings), *settings, TeachingAccess(*settings));
  if (!model) return tl::unexpected(model.error());
  if (flags.all) return ForgetUser(*settings, **model);
  Meant meant(*settings, **model, flags.input.kind());
  auto exit_code = Collect(flags, meant);
  if (!exit_code || meant.keys().empty()) return exit_code;
  const auto done =
      ForgetAndSay(**model, [&](const storage::Example& example) { return meant.Contains(example); });
  if (!done) return tl::unexpected(done.error());
  const Spool spool = SpoolOf(*settings, (*model)->identity().MakeIdSpace());
  for (const auto& [message_id, digest] : meant.keys()) spool.Remove({message_id, digest});
  return exit_code;
}

}  // namespace

void AddForget(CommandLine& line) {
  Command command = line.Add("forget", "Take trained messages out of the log, for good");
  command.Footer(
      "Takes away the features of the messages, and all that was taught of them, corrections included, from\n"
      "log and disk. Backups and exports keep them. The weights keep what they learned until `thresher\n"
      "rebuild`, which makes the model that was never taught them. Taught again, such a message is new.\n"
      "Exit code: 0; 65 if several messages have the Message-ID; 66 if a message was not taught or has\n"
      "expired (the others are forgotten); 75 if another process is writing to the model.");
  Flags& flags = command.Runs(ForgetMessages);
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
