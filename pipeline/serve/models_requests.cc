// Requests of Models: each is its model's.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/serve/models_slot.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {

Result<Judged> Models::Classify(std::string_view message, const Whose& whose) {
  const auto held = Take(whose, IfMissing::kMake);
  if (!held) return tl::unexpected(held.error());
  auto judged = held->service().Classify(message, held->whose());
  if (held->service().IsAskDue()) AskLogOf(held->name());
  return judged;
}

void Models::Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) {
  const auto held = Take(whose, IfMissing::kMake);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Learn(message, held->whose(), how, std::move(done));
}

void Models::Feedback(const Reply& reply, const Whose& whose, OnTaught done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Feedback(reply, held->whose(), std::move(done));
}

void Models::Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Foresee(message, held->whose(), how, std::move(done));
}

void Models::Forget(std::string_view message, const Whose& whose, OnForgotten done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Forget(message, held->whose(), std::move(done));
}

void Models::FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().FindTaught(message, held->whose(), kind, std::move(done));
}

void Models::FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().FindTaught(named, held->whose(), std::move(done));
}

void Models::ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                         OnAllForgotten done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().ForgetThese(keys, held->whose(), std::move(done));
}

void Models::ForgetAllOf(const Whose& whose, OnAllForgotten done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  // It would be all of the model, which must be meant.
  if (settings()->serve.models == "user" && held->name() != tokenizer::LowerAscii(whose.user)) {
    return done(tl::unexpected(Error{
        kData, fmt::format("expected a user whose model is {}: all of it is forgotten", held->name())}));
  }
  held->service().ForgetAllOf(held->whose(), std::move(done));
}

void Models::Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Explain(message, held->whose(), top, std::move(done));
}

void Models::ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                         OnExplanation done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().ExplainKept(key, held->whose(), top, std::move(done));
}

void Models::Counts(const Whose& whose, OnCounts done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Counts(held->whose(), std::move(done));
}

void Models::Vocabulary(const VocabularyQuery& query, const Whose& whose, OnJson done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Vocabulary(query, held->whose(), std::move(done));
}

void Models::Statistics(uint64_t recent, const Whose& whose, OnJson done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Statistics(recent, held->whose(), std::move(done));
}

void Models::Weights(const std::vector<uint64_t>& ids, const Whose& whose, OnJson done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().Weights(ids, held->whose(), std::move(done));
}

}  // namespace thresher::pipeline
