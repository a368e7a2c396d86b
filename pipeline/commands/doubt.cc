// thresher doubt: taught messages whose label the others contradict, and how to correct them.
#include "pipeline/fit/doubt.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/doubt_report.h"
#include "pipeline/commands/example_flags.h"
#include "pipeline/model/inspection.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kTokens = 5;  // listed against each label

struct DoubtFlags {
  ModelFlags model;
  size_t top = 20;
  bool list = false;
  bool json = false;
};

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
  auto found = model.vocabulary().TextsInLog(ids);
  if (!found) return tl::unexpected(found.error());
  for (size_t i = 0; i < columns.size(); ++i) {
    texts[columns[i]] = (*found)[i].empty() ? fmt::format("feature {:016x}", ids[i]) : (*found)[i];
  }
  return texts;
}

DoubtedCase CaseOf(const Doubt& doubt, const storage::Example& example) {
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
bool IsWanted(const DoubtedCase& one, const std::string& user, const DoubtFlags& flags) {
  return user.empty() ? !flags.list || one.user.empty() : one.user == user;
}

Result<DoubtedCases> CasesOf(const std::vector<Doubt>& doubts, const StoredExamples& examples,
                             const Inspection& model, const std::string& user, const DoubtFlags& flags) {
  DoubtedCases cases{.messages = examples.store.size(), .expired = model.log().expired};
  std::vector<const Doubt*> listed;
  for (const Doubt& doubt : doubts) {
    const auto example = model.ExampleOf(examples.seqs[doubt.row]);
    if (!example) return tl::unexpected(example.error());
    if (!*example || storage::IsForgotten(**example)) continue;  // meanwhile
    DoubtedCase one = CaseOf(doubt, **example);
    if (!IsWanted(one, user, flags)) {
      if (user.empty()) {
        ++cases.of_others;
        cases.others.insert(std::move(one.user));
      }
      continue;
    }
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

Result<std::vector<Doubt>> Find(const StoredExamples& examples) {
  Progress progress("examples", examples.store.size() * kDoubtFolds * kDoubtRounds);
  return FindDoubts(examples.store, examples.identity.learner, kTokens,
                    [&](uint64_t done) { progress.Set(done); });
}

Result<int> DoubtLabels(const DoubtFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto examples = LoadModelExamples(*settings);
  if (!examples) return tl::unexpected(examples.error());
  const auto doubts = Find(*examples);
  if (!doubts) return tl::unexpected(doubts.error());
  const auto model = OpenForReading(ModelDirectory(*settings), *settings);
  if (!model) return tl::unexpected(model.error());
  if (auto same = CheckSameExamples(*examples, *model); !same) return tl::unexpected(same.error());
  const auto cases = CasesOf(*doubts, *examples, *model, settings->user, flags);
  if (!cases) return tl::unexpected(cases.error());
  if (flags.list) {
    PrintDoubtList(*cases);
  } else {
    (flags.json ? PrintDoubtsAsJson : PrintDoubts)(*cases, *settings);
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
  DoubtFlags& flags = command.Runs(DoubtLabels);
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
