// thresher classify: verdict and score per message.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/fit/folder_model.h"
#include "pipeline/model/scorer.h"
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
    fmt::print("{:<6} {:.6f} {:>15.9g} {}\n", NameOf(judged.verdict), score.probability, score.margin,
               Printable(name));
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

Result<int> ChooseFolders(const ClassifyFlags& flags, const Settings& settings) {
  auto stream = OpenStream(flags.folders);
  if (!stream) return tl::unexpected(stream.error());
  const auto model = FolderModel::Read(*std::move(stream), flags.folders, settings);
  if (!model) return tl::unexpected(model.error());
  tokenizer::Tokenizer tokenizer = model->MakeTokenizer();
  tokenizer::Features features;
  const auto read = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features);
    PrintFolder(message.name, model->Choose(features), flags.json);
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  if (read->visited == 0 && read->unreadable == 0) return tl::unexpected(NoMessage());
  return read->unreadable > 0 ? kExitError : 0;
}

Result<int> Classify(const ClassifyFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  if (!flags.folders.empty()) return ChooseFolders(flags, *settings);
  auto scorer = OpenScorer(ModelDirectory(*settings), *settings);
  if (!scorer) return tl::unexpected(scorer.error());
  const auto lists = SenderLists::Load(*settings);
  if (!lists) return tl::unexpected(lists.error());
  const Spool spool = SpoolOf(*settings, (*scorer)->id_space());
  tokenizer::Tokenizer tokenizer = (*scorer)->MakeTokenizer();
  const tokenizer::KeyMaker key_maker = (*scorer)->MakeKeyMaker();
  tokenizer::Features features;
  Verdict last = Verdict::kUnsure;
  const auto read = flags.input.ForEach([&](const RawMessage& message) -> Result<void> {
    tokenizer.Tokenize(message.bytes, flags.input.kind(), &features, settings->user);
    const tokenizer::MessageKey key = key_maker.KeysOf(message.bytes, settings->user).own;
    const auto judged = Judge(**scorer, features, message.bytes, key, *settings, *lists);
    if (!judged) return tl::unexpected(judged.error());
    if (settings->spool_enabled)
      static_cast<void>(spool.Keep(key, features));  // failing to costs late feedback only
    last = judged->verdict;
    Print(message.name, *judged, flags.json);
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  if (read->visited == 0 && read->unreadable == 0) return tl::unexpected(NoMessage());
  if (read->unreadable > 0) return kExitError;
  return read->visited == 1 ? ExitOf(last) : 0;
}

}  // namespace

void AddClassify(CommandLine& line) {
  Command command = line.Add("classify", "Print the verdict and score of messages");
  command.Footer(
      "Prints one line VERDICT PROBABILITY MARGIN NAME for each message.\n"
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
  command.Add("--json", &flags.json, "Print one JSON object for each message, one per line");
}

}  // namespace thresher::pipeline
