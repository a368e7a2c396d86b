#include "pipeline/commands/model_to_change.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/commands/command_access.h"
#include "pipeline/commands/model_by_log.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "pipeline/serve/daemon_client.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

class ModelHere final : public ModelToChange {
 public:
  ModelHere(std::unique_ptr<Model> model, const Settings& settings)
      : model_(std::move(model)),
        user_(settings.user),
        spool_(SpoolOf(settings, model_->decoder())),
        tokenizer_(model_->identity().MakeTokenizer()),
        key_maker_(model_->identity().MakeKeyMaker()) {}

  Message Read(std::string_view bytes, tokenizer::Kind kind) override {
    Message message{.bytes = {}, .kind = kind, .features = {}, .keys = key_maker_.KeysOf(bytes, user_)};
    tokenizer_.Tokenize(bytes, kind, &message.features, user_);
    return message;
  }

  Result<TeachResult> Teach(const Message& message, Label label,
                            const Circumstances& circumstances) override {
    return pipeline::Teach(*model_, spool_, message.features, label, message.keys, circumstances);
  }

  Result<Foresight> Foresee(const Message& message, Label label) override {
    return pipeline::Foresee(*model_, message.features, label, message.keys);
  }

  // It takes all messages; what is wrong is the store.
  bool IsOfOneMessage(const Error&) const override { return false; }

  Result<MessageKey> TaughtKey(const Message& message) override {
    return pipeline::TaughtKey(*model_, message.keys, message.features);
  }

  Result<MessageKey> TaughtKey(std::string_view message_id, std::string_view digest) override {
    return pipeline::TaughtKey(*model_, user_, message_id, digest);
  }

  Result<ForgottenMessages> ForgetThese(const std::vector<MessageKey>& keys) override {
    return pipeline::ForgetThese(*model_, spool_, keys);
  }

  Result<ForgottenMessages> ForgetAllOfUser() override { return ForgetAllOf(user_, *model_, spool_); }

  // Who opens one without a log has one that follows none.
  Result<bool> FollowsLog() override { return false; }

  Result<TeachResult> TeachReply(const Reply& reply) override {
    if (!spooled_) {
      auto spooled = spool_.List();
      if (!spooled) return tl::unexpected(spooled.error());
      spooled_ = *std::move(spooled);
    }
    const auto meant = FindMeant(*model_, spool_, *spooled_, user_, reply);
    if (!meant) return tl::unexpected(meant.error());
    if (!meant->features) return TeachResult::kKnown;
    return pipeline::Teach(*model_, spool_, *meant->features, reply.label, meant->keys);
  }

  Result<size_t> Waiting(Label label) override { return model_->Inspect().Waiting(label); }
  Result<std::string> WhatIsNeeded() override { return NeededText(model_->Inspect().taught()); }
  Result<RecentExamples> Recent(uint64_t most) override { return model_->Inspect().Recent(most); }
  Result<void> Finish() override { return model_->Finish(); }

 private:
  std::unique_ptr<Model> model_;
  std::string user_;
  Spool spool_;
  tokenizer::Tokenizer tokenizer_;
  tokenizer::KeyMaker key_maker_;
  std::optional<Spool::Listing> spooled_;  // before the first reply
};

class ModelOfDaemon final : public ModelToChange {
 public:
  explicit ModelOfDaemon(DaemonClient daemon) : daemon_(std::move(daemon)) {}

  Message Read(std::string_view bytes, tokenizer::Kind kind) override {
    return {.bytes = std::string(bytes), .kind = kind, .features = {}, .keys = {}};
  }

  Result<TeachResult> Teach(const Message& message, Label label,
                            const Circumstances& circumstances) override {
    return daemon_.Learn(message.bytes, message.kind, label, circumstances);
  }

  Result<Foresight> Foresee(const Message& message, Label label) override {
    return daemon_.Foresee(message.bytes, message.kind, label);
  }

  bool IsOfOneMessage(const Error& error) const override { return error.exit_code == kData; }

  Result<MessageKey> TaughtKey(const Message& message) override {
    return daemon_.FindTaught(message.bytes, message.kind);
  }

  Result<MessageKey> TaughtKey(std::string_view message_id, std::string_view digest) override {
    return daemon_.FindTaught(message_id, digest);
  }

  Result<ForgottenMessages> ForgetThese(const std::vector<MessageKey>& keys) override {
    return daemon_.Forget(keys);
  }

  Result<ForgottenMessages> ForgetAllOfUser() override { return daemon_.ForgetAll(); }
  Result<bool> FollowsLog() override { return daemon_.FollowsLog(); }
  Result<TeachResult> TeachReply(const Reply& reply) override { return daemon_.Feedback(reply); }

  Result<size_t> Waiting(Label label) override {
    const auto counts = daemon_.Counts();
    if (!counts && IsMissing(counts.error())) return 0;
    if (!counts) return tl::unexpected(counts.error());
    return counts->at("waiting").at(std::string(NameOf(label))).get<size_t>();
  }

  Result<std::string> WhatIsNeeded() override {
    const auto counts = daemon_.Counts();
    if (!counts && IsMissing(counts.error())) return std::string();
    if (!counts) return tl::unexpected(counts.error());
    return NeededTextOf(*counts);
  }

  Result<RecentExamples> Recent(uint64_t most) override {
    auto recent = daemon_.Recent(most);
    return !recent && IsMissing(recent.error()) ? RecentExamples() : recent;
  }

  // A daemon's answer acknowledges.
  Result<void> Finish() override { return {}; }

 private:
  // The daemon makes it when it is taught something.
  static bool IsMissing(const Error& error) { return error.exit_code == kNoInput; }

  DaemonClient daemon_;
};

}  // namespace

Result<std::unique_ptr<ModelToChange>> ModelToChange::Open(const Settings& settings, IfMissing if_missing) {
  auto daemon = DaemonClient::Find(settings);
  if (!daemon) return tl::unexpected(daemon.error());
  if (*daemon) return std::make_unique<ModelOfDaemon>(**std::move(daemon));
  const std::filesystem::path directory = ModelDirectory(settings);
  std::error_code none;
  const bool may_be_new = if_missing == IfMissing::kMake;
  if (!settings.cluster.log.empty() && (may_be_new || std::filesystem::exists(directory, none)))
    return OpenModelByLog(settings);
  const WriteAccess access = CommandAccess(settings);
  auto model =
      may_be_new ? OpenOrCreateModel(directory, settings, access) : OpenModel(directory, settings, access);
  if (!model) return tl::unexpected(model.error());
  return std::make_unique<ModelHere>(*std::move(model), settings);
}

}  // namespace thresher::pipeline
