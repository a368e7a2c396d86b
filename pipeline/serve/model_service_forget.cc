// How a service forgets messages: jobs of the model's thread.
#include <memory>
#include <utility>

#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/known_message.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/serve/model_service.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// An error of one message is no reason to open the model again.
template <class T>
Result<void> Say(Pending<T>& pending, Result<T> found) {
  if (!found && IsOfOneReply(found.error())) return pending.Refuse(found.error());
  return pending.Found(std::move(found));
}

}  // namespace

void ModelService::Forget(std::string_view message, std::string_view user, OnForgotten done) {
  if (auto may = MayForget(); !may) return done(tl::unexpected(may.error()));
  const auto asked = Prepare(message, user);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  thread_.Post(JobFor<bool>(
      std::move(done), [this, settings = asked->settings, meant](Model& model, Pending<bool>& pending) {
        const auto known = FindKnown(model.Messages(), meant->keys, *meant->features);
        if (!known) return pending.Found(tl::unexpected(known.error()));
        const tokenizer::MessageKey& key = *known ? (*known)->key : KeyToTeach(meant->keys);
        const auto forgotten = model.Forget([&](const storage::Example& example) {
          return example.message_id == key.message_id && example.digest == key.digest;
        });
        if (!forgotten) return pending.Found(tl::unexpected(forgotten.error()));
        SpoolWith(key.message_id, *settings, model).Remove(key);
        return pending.Found(forgotten->examples > 0);
      }));
}

void ModelService::FindTaught(std::string_view message, std::string_view user, tokenizer::Kind kind,
                              OnKey done) {
  const auto asked = Prepare(message, user, kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  thread_.Post(JobFor<tokenizer::MessageKey>(
      std::move(done), [meant](Model& model, Pending<tokenizer::MessageKey>& pending) {
        return Say(pending, TaughtKey(model, meant->keys, *meant->features));
      }));
}

void ModelService::FindTaught(const tokenizer::MessageKey& named, std::string_view user, OnKey done) {
  const auto name = UserOf(user, *settings());
  if (!name) return done(tl::unexpected(name.error()));
  thread_.Post(JobFor<tokenizer::MessageKey>(
      std::move(done), [named, user = *name](Model& model, Pending<tokenizer::MessageKey>& pending) {
        return Say(pending, TaughtKey(model, user, named.message_id, named.digest));
      }));
}

void ModelService::ForgetThese(const std::vector<tokenizer::MessageKey>& keys, std::string_view user,
                               OnAllForgotten done) {
  if (auto may = MayForget(); !may) return done(tl::unexpected(may.error()));
  const auto settings = this->settings();
  const auto name = UserOf(user, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  std::vector<tokenizer::MessageKey> owned = keys;
  for (tokenizer::MessageKey& key : owned) key.message_id = tokenizer::MessageIdOf(*name, key.message_id);
  thread_.Post(JobFor<ForgottenMessages>(
      std::move(done),
      [this, settings, owned = std::move(owned)](Model& model, Pending<ForgottenMessages>& pending) {
        return Say(pending, pipeline::ForgetThese(model, WholeSpool(*settings, model), owned));
      }));
}

void ModelService::ForgetAllOf(std::string_view user, OnAllForgotten done) {
  if (auto may = MayForget(); !may) return done(tl::unexpected(may.error()));
  const auto settings = this->settings();
  const auto name = UserOf(user, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  if (name->empty())
    return done(tl::unexpected(Error{kData, "expected a user, whose messages are forgotten"}));
  thread_.Post(JobFor<ForgottenMessages>(
      std::move(done), [this, settings, user = *name](Model& model, Pending<ForgottenMessages>& pending) {
        return Say(pending, pipeline::ForgetAllOf(user, model, WholeSpool(*settings, model)));
      }));
}

}  // namespace thresher::pipeline
