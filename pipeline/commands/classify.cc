// thresher classify: verdict and score per message.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/delivery/message_judge.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/fit/folder_model.h"
#include "pipeline/input/in_order.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

// bogofilter's convention for one message; 3 for any error.
constexpr int kExitSpam = 0;
constexpr int kExitHam = 1;
constexpr int kExitUnsure = 2;
constexpr int kExitError = 3;

int ExitOf(Verdict verdict) {
  return verdict == Verdict::kSpam ? kExitSpam : verdict == Verdict::kHam ? kExitHam : kExitUnsure;
}

struct ClassifyFlags {
  ModelFlags model;
  InputFlags input;
  std::string folders;
  bool json = false;
};

void Print(const std::string& name, const Judged& judged, bool json) {
  const Score& score = judged.score;
  if (!json) {
    fmt::print("{:<6} {:.6f} {:>15.9g} {}{}{}\n", NameOf(judged.verdict), score.probability, score.margin,
               Printable(name), judged.listed.empty() ? "" : " listed=", judged.listed);
    return;
  }
  nlohmann::ordered_json line = {{"message", name},
                                 {"verdict", NameOf(judged.verdict)},
                                 {"probability", score.probability},
                                 {"margin", score.margin},
                                 {"key", judged.key.digest}};
  if (!judged.listed.empty()) line["listed"] = judged.listed;
  WriteJson(line, kOneLine);
}

void PrintFolder(const std::string& name, const FolderModel::Choice& choice, bool json) {
  if (!json) {
    fmt::print("{} {:.6g} {}\n", Printable(choice.folder), choice.margin, Printable(name));
    return;
  }
  const nlohmann::ordered_json line = {
      {"message", name}, {"folder", choice.folder}, {"score", choice.score}, {"margin", choice.margin}};
  WriteJson(line, kOneLine);
}

// Answers the messages of `input`, several threads at a time: answer(thread, message) gives a Result<Answer>,
// and print(name, answer) is called with them in the order of the messages. An error ends the run.
template <class Answer, class AnswerOf, class Print>
Result<InputTally> AnswerEach(const InputFlags& input, size_t threads, const AnswerOf& answer_of,
                              const Print& print) {
  struct Answered {
    std::string name;
    Result<Answer> answer;
  };
  InputReader reader(input.form(), input.paths, Fail);
  std::vector<RawMessage> messages(threads);
  std::optional<Error> failure;
  ForEachInOrder<Answered>(
      threads, [&](size_t thread, size_t) { return reader.Next(&messages[thread]); },
      [&](size_t thread, size_t, Answered& item) {
        item.name = messages[thread].name;
        item.answer = answer_of(thread, messages[thread].bytes);
      },
      [&](size_t, const Answered& item) {
        if (!item.answer) {
          failure = item.answer.error();
          return false;
        }
        print(item.name, *item.answer);
        return true;
      });
  if (failure) return tl::unexpected(*failure);
  if (reader.tally().IsEmpty()) return tl::unexpected(NoMessage());
  return reader.tally();
}

Result<int> ChooseFolders(const ClassifyFlags& flags, const Settings& settings) {
  auto stream = OpenStream(flags.folders);
  if (!stream) return tl::unexpected(stream.error());
  const auto model = FolderModel::Read(*std::move(stream), flags.folders, settings);
  if (!model) return tl::unexpected(model.error());
  struct Seat {
    tokenizer::Tokenizer tokenizer;
    tokenizer::Features features;
  };
  std::vector<std::optional<Seat>> seats(settings.ThreadsToUse());
  const auto read = AnswerEach<FolderModel::Choice>(
      flags.input, seats.size(),
      [&](size_t thread, const std::string& message) {
        if (!seats[thread]) seats[thread].emplace(Seat{model->MakeTokenizer(), {}});
        auto& [tokenizer, features] = *seats[thread];
        tokenizer.Tokenize(message, flags.input.kind(), &features);
        return model->Choose(features);
      },
      [&](const std::string& name, const FolderModel::Choice& choice) {
        PrintFolder(name, choice, flags.json);
      });
  if (!read) return tl::unexpected(read.error());
  return read->ExitCode() == 0 ? 0 : kExitError;
}

Result<int> Classify(const ClassifyFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  if (!flags.folders.empty()) return ChooseFolders(flags, *settings);
  auto scorer = OpenScorer(ModelDirectory(*settings), *settings);
  if (!scorer) return tl::unexpected(scorer.error());
  const auto lists = SenderLists::Load(*settings);
  if (!lists) return tl::unexpected(lists.error());
  std::vector<std::optional<MessageJudge>> judges(settings->ThreadsToUse());
  judges.front().emplace(*std::move(scorer));
  Verdict last = Verdict::kUnsure;
  Complaints complaints(Fail, " (--verbose names them)", flags.input.verbose);
  const auto read = AnswerEach<Judged>(
      flags.input, judges.size(),
      [&](size_t thread, const std::string& message) {
        if (!judges[thread]) judges[thread].emplace(judges.front()->ForAnotherThread());
        judges[thread]->Read(message, flags.input.kind(), settings->user);
        return judges[thread]->Judge(message, *settings, *lists, KeepNow);
      },
      [&](const std::string& name, const Judged& judged) {
        last = judged.verdict;
        const std::string reason = "not kept for late feedback";
        if (!judged.not_kept.empty())
          complaints.Add({kIo, fmt::format("{}: {}: {}", name, reason, judged.not_kept), reason});
        Print(name, judged, flags.json);
      });
  complaints.End();
  if (!read) return tl::unexpected(read.error());
  if (read->ExitCode() != 0) return kExitError;
  return read->visited == 1 ? ExitOf(last) : 0;
}

}  // namespace

void AddClassify(CommandLine& line) {
  Command command = line.Add("classify", "Print the verdict and score of messages");
  command.Footer(
      "Prints one line VERDICT PROBABILITY MARGIN NAME for each message, and listed=ENTRY at its end if an\n"
      "entry of the lists of senders decided, not the probability.\n"
      "Exit code for one message: 0 spam, 1 ham, 2 unsure, 3 error. For several messages: 0, or 3 if one\n"
      "could not be read.");
  ClassifyFlags& flags = command.Runs(Classify, [](int code) { return std::min(code, kExitError); });
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.input.AddTo(command);
  command
      .Add("--folders", &flags.folders,
           "File that `thresher fit --folders` wrote. Prints FOLDER MARGIN NAME for each message, where "
           "MARGIN is the distance to the next best folder. Exit code 0, or 3 if a message could not be "
           "read")
      .Excludes({"--user"});
  flags.model.AddSetting(command, "--threads", "replay.threads", "Threads; 0 for all cores");
  command.Add("--json", &flags.json, "Print one JSON object for each message, one per line");
}

}  // namespace thresher::pipeline
