#include "pipeline/commands/model_by_log.h"

#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/answers/needed.h"
#include "pipeline/commands/running.h"
#include "pipeline/serve/daemon_client.h"
#include "pipeline/serve/follow_here.h"
#include "pipeline/serve/model_service.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

// What `ask` is told, once.
template <class T, class Ask>
Result<T> Heard(const Ask& ask) {
  std::promise<Result<T>> told;
  ask([&](const Result<T>& answer) { told.set_value(answer); });
  return told.get_future().get();
}

class ModelByLog final : public ModelToChange {
 public:
  explicit ModelByLog(std::unique_ptr<ModelService> service) : service_(std::move(service)) {}

  Message Read(std::string_view bytes, tokenizer::Kind kind) override {
    return {.bytes = std::string(bytes), .kind = kind, .features = {}, .keys = {}};
  }

  Result<TeachResult> Teach(const Message& message, Label label,
                            const Circumstances& circumstances) override {
    return Heard<TaughtMessage>([&](auto done) {
             service_->Learn(message.bytes, {}, {label, message.kind, circumstances}, done);
           })
        .map([](const TaughtMessage& taught) { return taught.result; });
  }

  Result<Foresight> Foresee(const Message& message, Label label) override {
    return Heard<nlohmann::ordered_json>([&](auto done) {
             service_->Foresee(message.bytes, {}, {label, message.kind, {}}, done);
           })
        .map(ForesightOf);
  }

  bool IsOfOneMessage(const Error& error) const override { return error.exit_code == kData; }

  Result<MessageKey> TaughtKey(const Message& message) override {
    return Heard<MessageKey>([&](auto done) { service_->FindTaught(message.bytes, {}, message.kind, done); });
  }

  Result<MessageKey> TaughtKey(std::string_view message_id, std::string_view digest) override {
    const MessageKey named{std::string(message_id), std::string(digest)};
    return Heard<MessageKey>([&](auto done) { service_->FindTaught(named, {}, done); });
  }

  Result<ForgottenMessages> ForgetThese(const std::vector<MessageKey>& keys) override {
    return Heard<ForgottenMessages>([&](auto done) { service_->ForgetThese(keys, {}, done); });
  }

  Result<ForgottenMessages> ForgetAllOfUser() override {
    return Heard<ForgottenMessages>([&](auto done) { service_->ForgetAllOf({}, done); });
  }

  Result<bool> FollowsLog() override { return true; }

  Result<TeachResult> TeachReply(const Reply& reply) override {
    return Heard<TaughtMessage>([&](auto done) { service_->Feedback(reply, {}, done); })
        .map([](const TaughtMessage& taught) { return taught.result; });
  }

  Result<size_t> Waiting(Label label) override {
    return Counts().map([&](const ModelCounts& counts) {
      return label == Label::kSpam ? counts.waiting_spam : counts.waiting_ham;
    });
  }

  Result<std::string> WhatIsNeeded() override {
    return Counts().map([](const ModelCounts& counts) { return NeededText(counts.taught); });
  }

  Result<RecentExamples> Recent(uint64_t most) override {
    return Heard<nlohmann::ordered_json>([&](auto done) { service_->Statistics(most, {}, done); })
        .map(RecentOf);
  }

  // The answers acknowledged it. What the log may yet take within the patience of users is waited for. What
  // is wrong with it is said, as no daemon tells anybody: mostly that what is taught waits.
  Result<void> Finish() override {
    service_->Settle();
    if (const std::string trouble = service_->Log()->trouble; !trouble.empty()) Fail({kBusy, trouble});
    return {};
  }

 private:
  Result<ModelCounts> Counts() {
    return Heard<ModelCounts>([&](auto done) { service_->Counts({}, done); });
  }

  std::unique_ptr<ModelService> service_;
};

}  // namespace

Result<std::unique_ptr<ModelToChange>> OpenModelByLog(const Settings& settings) {
  auto service = FollowHere(settings);
  if (!service) return tl::unexpected(service.error());
  return std::make_unique<ModelByLog>(*std::move(service));
}

}  // namespace thresher::pipeline
