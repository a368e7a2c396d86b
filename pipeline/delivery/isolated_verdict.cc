#include "pipeline/delivery/isolated_verdict.h"

#include <algorithm>
#include <utility>

#include "pipeline/delivery/isolated.h"
#include "pipeline/delivery/message_judge.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/model/self_training.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

// The answer of the child: how the message is to be taught, why it was not kept in the rest of the first
// line, the tag in the second, the lines.
constexpr char kTeachSpam = 's';
constexpr char kTeachHam = 'h';
constexpr char kTeachNot = '-';
constexpr size_t kLongestReason = 1000;

std::string TextOfVerdict(const IsolatedVerdict& verdict) {
  char to_teach = kTeachNot;
  if (verdict.to_teach) to_teach = *verdict.to_teach == Label::kSpam ? kTeachSpam : kTeachHam;
  std::string not_kept = verdict.not_kept.substr(0, kLongestReason);
  std::ranges::replace(not_kept, '\n', ' ');
  return to_teach + not_kept + '\n' + verdict.marks.tag + '\n' + verdict.marks.lines;
}

IsolatedVerdict VerdictInText(std::string_view text) {
  IsolatedVerdict verdict;
  if (text.front() != kTeachNot) verdict.to_teach = text.front() == kTeachSpam ? Label::kSpam : Label::kHam;
  text.remove_prefix(1);
  verdict.not_kept = TakeMarkLine(&text);
  verdict.marks.tag = TakeMarkLine(&text);
  verdict.marks.lines = text;
  return verdict;
}

// What an entry of the lists decided is not the model's verdict.
std::optional<Label> LabelToTeach(const Judged& judged, const Settings& settings) {
  if (!judged.listed.empty()) return std::nullopt;
  return LabelByVerdict(judged.verdict, judged.score.probability, settings.filter_self_train);
}

Result<IsolatedVerdict> Classify(const Settings& settings, std::string_view message) {
  const std::filesystem::path directory = ModelDirectory(settings);
  if (const auto exists = CheckModelExists(directory); !exists) {
    if (exists.error().exit_code != kNoInput) return tl::unexpected(exists.error());
    return IsolatedVerdict{NoModelMarks(exists.error().message, settings.features.marks)};
  }
  const auto lists = SenderLists::Load(settings);
  if (!lists) return tl::unexpected(lists.error());
  auto scorer = OpenScorer(directory, settings);
  if (!scorer) return tl::unexpected(scorer.error());
  MessageJudge judge(*std::move(scorer));
  judge.Read(message, tokenizer::Kind::kMail, settings.user);
  const auto judged = judge.Judge(message, settings, *lists, KeepNow);
  if (!judged) return tl::unexpected(judged.error());
  return IsolatedVerdict{MarksOf(*judged, settings.features.marks), LabelToTeach(*judged, settings),
                         judged->not_kept};
}

}  // namespace

Result<IsolatedVerdict> ClassifyIsolated(const Settings& settings, std::string_view message) {
  return RunIsolated([&] { return Classify(settings, message).map(TextOfVerdict); },
                     settings.filter_timeout_seconds, {.worker = "classifier", .answer = "verdict"})
      .map(VerdictInText);
}

}  // namespace thresher::pipeline
