// thresher doubt: taught messages whose label the others contradict, and how to correct them.
#include "pipeline/fit/doubt.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/model/inspection.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/terminal/shell_word.h"
#include "pipeline/terminal/token_text.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

constexpr size_t kTokens = 5;  // listed against each label

struct Flags {
  ModelFlags model;
  size_t top = 20;
  bool list = false;
  bool json = false;
};

struct Token {
  std::string text;
  double contribution;
};

// A doubt about a taught message, as it is printed.
struct Case {
  Label taught;
  double margin;
  int64_t time_us;
  std::string user;  // empty: nobody in particular
  std::string message_id;
  std::string digest;
  std::vector<Token> against;

  Label other() const { return taught == Label::kSpam ? Label::kHam : Label::kSpam; }
};

struct Cases {
  uint64_t messages = 0;  // judged
  uint64_t doubted = 0;
  uint64_t expired = 0;  // examples that nobody can judge any more
  std::vector<Case> listed;
};

std::string_view NameOf(Label label) { return label == Label::kSpam ? "spam" : "ham"; }

Result<void> CheckClasses(const ExampleStore& examples) {
  if (CanDoubt(examples)) return {};
  const auto targets = examples.View().targets;
  const auto spam = std::count_if(targets.begin(), targets.end(), [](float target) { return target > 0; });
  return tl::unexpected(Error{
      kData, fmt::format("labels can be doubted when there are at least {} messages of each class: the log "
                         "has {} ham and {} spam",
                         kDoubtFolds, static_cast<std::ptrdiff_t>(targets.size()) - spam, spam)});
}

// The texts of all tokens of `doubts`, by column.
Result<std::unordered_map<uint32_t, std::string>> TextsOf(const std::vector<const Doubt*>& doubts,
                                                          const ExampleStore& examples,
                                                          const Inspection& model) {
  std::unordered_map<uint32_t, std::string> texts;
  for (const Doubt* doubt : doubts) {
    for (const Doubt::Feature& feature : doubt->against) texts.try_emplace(feature.column);
  }
  std::vector<uint32_t> columns;
  std::vector<uint64_t> ids;
  for (const auto& [column, text] : texts) {
    columns.push_back(column);
    ids.push_back(examples.ids()[column]);
  }
  auto found = model.TextsInLog(ids);
  if (!found) return tl::unexpected(found.error());
  for (size_t i = 0; i < columns.size(); ++i) {
    texts[columns[i]] = (*found)[i].empty() ? fmt::format("feature {:016x}", ids[i]) : (*found)[i];
  }
  return texts;
}

Case CaseOf(const Doubt& doubt, const storage::Example& example) {
  const auto [user, message_id] = tokenizer::UserAndMessageId(example.message_id);
  return {.taught = LabelOf(example),
          .margin = doubt.margin,
          .time_us = example.time_us,
          .user = std::string(user),
          .message_id = std::string(message_id),
          .digest = example.digest,
          .against = {}};
}

// A line of `feedback --list` names no user, so that a list is that of one user, or of none.
bool IsWanted(const Case& one, const std::string& user, const Flags& flags) {
  return user.empty() ? !flags.list || one.user.empty() : one.user == user;
}

Result<Cases> CasesOf(const std::vector<Doubt>& doubts, const StoredExamples& examples,
                      const Inspection& model, const std::string& user, const Flags& flags) {
  Cases cases{.messages = examples.store.size(), .expired = model.log().expired, .listed = {}};
  std::vector<const Doubt*> listed;
  for (const Doubt& doubt : doubts) {
    const auto example = model.ExampleOf(examples.seqs[doubt.row]);
    if (!example) return tl::unexpected(example.error());
    if (!*example || storage::IsForgotten(**example)) continue;  // meanwhile
    Case one = CaseOf(doubt, **example);
    if (!IsWanted(one, user, flags)) continue;
    ++cases.doubted;
    if (flags.top != 0 && listed.size() == flags.top) continue;
    listed.push_back(&doubt);
    cases.listed.push_back(std::move(one));
  }
  const auto texts = TextsOf(listed, examples.store, model);
  if (!texts) return tl::unexpected(texts.error());
  for (size_t i = 0; i < listed.size(); ++i) {
    for (const Doubt::Feature& feature : listed[i]->against)
      cases.listed[i].against.push_back({texts->at(feature.column), feature.contribution});
  }
  return cases;
}

// The command that corrects a label, for the same model.
std::string FeedbackFor(const Case& one, const Settings& settings) {
  std::string line = "thresher feedback";
  if (settings.IsNamed("store.path")) line += " --store " + ShellWord(settings.store_path);
  if (settings.IsNamed("store.model")) line += " --model " + ShellWord(settings.model);
  if (!one.user.empty()) line += " --user " + ShellWord(one.user);
  line += fmt::format(" --{} --id {}", NameOf(one.other()), ShellWord("<" + one.message_id + ">"));
  if (!one.digest.empty()) line += " --key " + one.digest;
  return line;
}

std::string DayOf(int64_t time_us) {
  return fmt::format("{:%F}", fmt::gmtime(static_cast<std::time_t>(time_us / 1000000)));
}

void PrintText(const Cases& cases, const Settings& settings) {
  fmt::print("{} of {} messages have a label that the others contradict", cases.doubted, cases.messages);
  if (cases.listed.size() < cases.doubted) fmt::print("; the {} most doubtful", cases.listed.size());
  fmt::print("\n");
  if (cases.expired > 0)
    fmt::print("the oldest {} examples have expired from the log and are not judged\n", cases.expired);
  for (const Case& one : cases.listed) {
    fmt::print("\n{}  taught as {} on {}; margin by the others {:+.4g}\n      against {}:",
               Printable(one.message_id), NameOf(one.taught), DayOf(one.time_us), one.margin,
               NameOf(one.taught));
    for (const Token& token : one.against)
      fmt::print("{} {} {:+.3g}", &token == &one.against.front() ? "" : ",", Printable(token.text),
                 token.contribution);
    fmt::print("\n      {}\n", FeedbackFor(one, settings));
  }
}

void PrintJson(const Cases& cases, const Settings& settings) {
  ordered_json list = ordered_json::array();
  for (const Case& one : cases.listed) {
    ordered_json tokens = ordered_json::array();
    for (const Token& token : one.against)
      tokens.push_back({{"token", token.text}, {"contribution", token.contribution}});
    list.push_back({{"message_id", one.message_id},
                    {"key", one.digest},
                    {"user", one.user},
                    {"taught", NameOf(one.taught)},
                    {"day", DayOf(one.time_us)},
                    {"margin", one.margin},
                    {"against", std::move(tokens)},
                    {"feedback", FeedbackFor(one, settings)}});
  }
  const ordered_json json = {{"messages", cases.messages},
                             {"doubted", cases.doubted},
                             {"expired", cases.expired},
                             {"listed", std::move(list)}};
  WriteJson(json);
}

void PrintList(const Cases& cases) {
  for (const Case& one : cases.listed)
    fmt::print("{} <{}>{}{}\n", NameOf(one.other()), one.message_id, one.digest.empty() ? "" : " ",
               one.digest);
}

Result<StoredExamples> Load(const std::filesystem::path& directory, const Settings& settings) {
  Progress progress("examples", 0);
  return LoadStoredExamples(directory, settings, [&](uint64_t done) { progress.Set(done); });
}

std::vector<Doubt> Find(const StoredExamples& examples) {
  Progress progress("examples", examples.store.size() * kDoubtFolds * kDoubtRounds);
  return FindDoubts(examples.store, examples.identity.learner, kTokens,
                    [&](uint64_t done) { progress.Set(done); });
}

Result<int> DoubtLabels(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  const auto examples = Load(directory, *settings);
  if (!examples) return tl::unexpected(examples.error());
  if (auto checked = CheckClasses(examples->store); !checked) return tl::unexpected(checked.error());
  const std::vector<Doubt> doubts = Find(*examples);
  const auto model = OpenForReading(directory, *settings);
  if (!model) return tl::unexpected(model.error());
  if (model->identity().seed != examples->identity.seed || model->log().last_seq < examples->last_seq)
    return tl::unexpected(Error{kData, "the model has been replaced since its examples were read"});
  const auto cases = CasesOf(doubts, *examples, *model, settings->user, flags);
  if (!cases) return tl::unexpected(cases.error());
  if (flags.list) {
    PrintList(*cases);
  } else {
    (flags.json ? PrintJson : PrintText)(*cases, *settings);
  }
  return 0;
}

}  // namespace

void AddDoubt(CommandLine& line) {
  Command command = line.Add(
      "doubt", "List taught messages whose label the other messages contradict, and how to correct them");
  command.Footer(fmt::format(
      "The learner is trained again on four fifths of the messages and judges the other fifth, so that each\n"
      "message is judged by a model that was not taught it; then again without the messages that were\n"
      "contradicted. Listed are the messages whose last label is still contradicted, the largest margin\n"
      "first, with the tokens that speak most against the label and the command that corrects it. Not every\n"
      "label is wrong: messages unlike all others are listed, too. The model is not changed.\n"
      "Exit code: 0; 65 if there are fewer than {} messages of a class; 66 if there is no model.",
      kDoubtFolds));
  Flags& flags = command.Runs(DoubtLabels);
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  command.Add("--top", &flags.top, "Number of messages to list; 0 for all")
      .Check(WholeNumber())
      .ShowDefault();
  command.Add("--list", &flags.list,
              "Print only lines for `thresher feedback --list`, which correct these messages; "
              "those of --user, or of no user");
  command.Add("--json", &flags.json, "Print JSON").Excludes({"--list"});
}

}  // namespace thresher::pipeline
