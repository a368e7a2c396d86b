#include "pipeline/delivery/message_judge.h"

#include <utility>

#include "pipeline/delivery/sender_lists.h"

namespace thresher::pipeline {

MessageJudge::MessageJudge(std::unique_ptr<Scorer> scorer)
    : scorer_(std::move(scorer)), tokenizer_(scorer_->MakeTokenizer()), key_maker_(scorer_->MakeKeyMaker()) {}

void MessageJudge::Read(std::string_view message, tokenizer::Kind kind, std::string_view user) {
  tokenizer_.Tokenize(message, kind, &features_, user);
  keys_ = key_maker_.KeysOf(message, user);
}

Result<Judged> MessageJudge::Judge(std::string_view message, const Settings& settings,
                                   const SenderLists& lists, const Keep& keep) {
  const Result<Score> score = scorer_->Classify(features_);
  if (!score) return tl::unexpected(score.error());
  Judged judged{VerdictOf(*score, settings.thresholds),
                *score,
                settings.thresholds,
                scorer_->taught(),
                scorer_->contradictions(),
                keys_.own};
  if (auto decided = lists.Decide(message, settings.lists.authserv_id)) {
    judged.verdict = decided->verdict;
    judged.listed = std::move(decided->entry);
  }
  if (!settings.spool_enabled) return judged;
  const auto kept = keep(SpoolOf(settings, scorer_->decoder()), keys_.own, &features_);
  if (!kept) judged.not_kept = kept.error().message;
  return judged;
}

Result<void> KeepNow(const Spool& spool, const tokenizer::MessageKey& key, tokenizer::Features* features) {
  return spool.Keep(key, *features);
}

}  // namespace thresher::pipeline
