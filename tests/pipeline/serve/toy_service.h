// A service without a model: a message that contains "spam" is Spam, and one that contains "listed" is what
// the lists say.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/serve/service.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {

class ToyService final : public Service {
 public:
  Result<Judged> Classify(std::string_view message, const Whose& whose) override {
    Note("classify", message, whose);
    if (!ready) return tl::unexpected(ready.error());
    Judged judged;
    const bool is_spam = message.find("spam") != std::string_view::npos;
    judged.verdict = is_spam ? Verdict::kSpam : Verdict::kHam;
    judged.score = {.margin = is_spam ? 9.0 : -9.0, .probability = is_spam ? 0.999 : 0.001};
    judged.key = KeyOf(whose);
    if (message.find("listed") != std::string_view::npos) judged.listed = "block:domain";
    return judged;
  }
  void Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) override {
    Note(how.label == Label::kSpam ? "learn spam" : "learn ham", message, whose);
    done(TaughtOf(whose));
  }
  void Feedback(const Reply& reply, const Whose& whose, OnTaught done) override {
    Note(reply.label == Label::kSpam ? "feedback spam" : "feedback ham",
         reply.message_id + " " + reply.digest, whose);
    done(TaughtOf(whose));
  }
  void Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) override {
    Note("explain " + std::to_string(top), message, whose);
    done(OneToken());
  }
  void FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) override {
    Note(kind == tokenizer::Kind::kDocument ? "find document" : "find", message, whose);
    done(tokenizer::MessageKey{"a@b", "k"});
  }
  void FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) override {
    Note("find key", named.message_id + " " + named.digest, whose);
    done(tl::unexpected(Error{kData, "there are several"}));
  }
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                   OnAllForgotten done) override {
    Note("forget these", keys.front().message_id + " " + keys.front().digest, whose);
    done(ForgottenMessages{.messages = keys.size(), .examples = 7, .keys = {KeyOf(whose)}});
  }
  void ForgetAllOf(const Whose& whose, OnAllForgotten done) override {
    Note("forget all", "", whose);
    done(ForgottenMessages{.spooled = 2, .keys = {KeyOf(whose)}});
  }
  void ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                   OnExplanation done) override {
    if (key.digest == "unknown") return done(tl::unexpected(Error{kNoInput, "nothing is kept"}));
    Note("explain " + std::to_string(top), key.message_id + " " + key.digest, whose);
    done(OneToken());
  }
  void Vocabulary(const VocabularyQuery& query, const Whose& /*whose*/, OnJson done) override {
    done(nlohmann::ordered_json{{"tokens", query.field + " " + query.contains + (query.spam ? " spam" : "") +
                                               (query.ham ? " ham " : " ") + std::to_string(query.skip) +
                                               " " + std::to_string(query.top)}});
  }
  void Weights(const std::vector<uint64_t>& ids, const Whose& /*whose*/, OnJson done) override {
    done(nlohmann::ordered_json{{"asked", ids.size()}});
  }
  void Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) override {
    Note("foresee " + std::string(pipeline::NameOf(how.label)), message, whose);
    done(nlohmann::ordered_json{{"known", false}});
  }
  void Counts(const Whose& /*whose*/, OnCounts done) override {
    done(ModelCounts{.taught = {.ham = 2, .spam = 1}});
  }
  void Statistics(uint64_t /*recent*/, const Whose& /*whose*/, OnJson done) override {
    done(nlohmann::ordered_json{{"spam", 1}});
  }
  void Forget(std::string_view message, const Whose& whose, OnForgotten done) override {
    Note("forget", message, whose);
    done(ForgottenMessage{KeyOf(whose), true});
  }
  Result<std::string> ModelOf(const Whose& whose) const override {
    return std::string(whose.model.empty() ? "default" : whose.model);
  }
  Result<void> Ready() const override { return ready; }

  // What was asked for, "classify MESSAGE for USER".
  std::vector<std::string> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

  Result<void> ready;
  Result<TaughtMessage> taught = TaughtMessage{TeachResult::kNew, {}};  // with the key of who asks

 private:
  // Of a mail that all users have.
  static tokenizer::MessageKey KeyOf(const Whose& whose) {
    return {tokenizer::MessageIdOf(whose.user, "id@example.org"), "0123456789abcdef"};
  }
  Result<TaughtMessage> TaughtOf(const Whose& whose) const {
    return taught.map([&](TaughtMessage told) {
      told.key = KeyOf(whose);
      return told;
    });
  }
  static Explanation OneToken() {
    Explanation explanation{};
    explanation.listed.push_back(
        {.text = "subject:pay\x1b", .value = 0.5, .entry = {.id = 1, .weight = 1, .counts = {}}});
    return explanation;
  }
  void Note(std::string_view what, std::string_view message, const Whose& whose) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::string(what) + " " + std::string(message) + " for " + std::string(whose.user) +
                     (whose.model.empty() ? "" : " in " + std::string(whose.model)));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> asked_;
};

}  // namespace thresher::pipeline
