#include "pipeline/serve/history.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr int64_t kDaySeconds = History::kStepSeconds * static_cast<int64_t>(History::kMostSteps);

int64_t BeginOfStep(int64_t now) { return now - now % History::kStepSeconds; }

// The user is in the Message-ID: each has a verdict of their own on a mail that several got.
std::string TextOf(const tokenizer::MessageKey& key) { return key.digest + ' ' + key.message_id; }

}  // namespace

// A clock that is set back a little adds to the newest minute. What a clock that was far ahead has left is no
// history.
History::Step& History::At(int64_t now) {
  const int64_t begin = BeginOfStep(now);
  while (!steps_.empty() && steps_.back().begin > begin + kStepSeconds) steps_.pop_back();
  if (steps_.empty() || steps_.back().begin < begin) {
    steps_.push_back({.begin = begin});
    while (steps_.front().begin <= begin - kDaySeconds) steps_.pop_front();
  }
  return steps_.back();
}

void History::Judge(const tokenizer::MessageKey& key, Verdict verdict, uint64_t microseconds, int64_t now) {
  const std::string text = TextOf(key);
  const std::lock_guard lock(mutex_);
  Step& step = At(now);
  ++step.verdicts[static_cast<size_t>(verdict)];
  step.microseconds += microseconds;
  const auto [found, is_new] = verdicts_.try_emplace(text);
  found->second.verdict = verdict;
  if (!is_new) return;
  found->second.order = ++order_;
  judged_.emplace_back(order_, text);
  if (judged_.size() <= kMostVerdicts) return;
  // It may have been taught, and perhaps judged again, since then.
  const auto& [order, oldest_text] = judged_.front();
  const auto oldest = verdicts_.find(oldest_text);
  if (oldest != verdicts_.end() && oldest->second.order == order) verdicts_.erase(oldest);
  judged_.pop_front();
}

void History::Teach(const tokenizer::MessageKey& key, Label label, TeachResult result, int64_t now) {
  const std::lock_guard lock(mutex_);
  Step& step = At(now);
  const bool is_spam = label == Label::kSpam;
  if (result != TeachResult::kKnown) ++(is_spam ? step.taught_spam : step.taught_ham);
  const auto found = verdicts_.find(TextOf(key));
  if (found == verdicts_.end()) return;
  const bool was_called_spam = found->second.verdict == Verdict::kSpam;
  verdicts_.erase(found);
  if (was_called_spam != is_spam) ++(is_spam ? step.missed_spam : step.lost_ham);
}

void History::Measure(uint64_t nonzeros, int64_t now) {
  const std::lock_guard lock(mutex_);
  At(now).nonzeros = nonzeros;
}

nlohmann::ordered_json History::Json(int64_t now) const {
  const std::lock_guard lock(mutex_);
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  const auto count = [](const Step& step, Verdict verdict) {
    return step.verdicts[static_cast<size_t>(verdict)];
  };
  for (const Step& step : steps_) {
    if (step.begin <= BeginOfStep(now) - kDaySeconds) continue;
    steps.push_back({{"time", step.begin},
                     {"spam", count(step, Verdict::kSpam)},
                     {"ham", count(step, Verdict::kHam)},
                     {"unsure", count(step, Verdict::kUnsure)},
                     {"taught_ham", step.taught_ham},
                     {"taught_spam", step.taught_spam},
                     {"lost_ham", step.lost_ham},
                     {"missed_spam", step.missed_spam},
                     {"seconds", static_cast<double>(step.microseconds) / 1e6},
                     {"nonzeros", step.nonzeros ? nlohmann::ordered_json(*step.nonzeros) : nullptr}});
  }
  return {{"since", since_}, {"step", kStepSeconds}, {"steps", std::move(steps)}};
}

}  // namespace thresher::pipeline
