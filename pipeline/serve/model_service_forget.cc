// How a service forgets messages: jobs of the model's thread.
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/known_message.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/serve/model_service.h"
#include "pipeline/wall_clock.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// An error of one message is no reason to open the model again.
template <class T>
Result<void> Say(Pending<T>& pending, Result<T> found) {
  if (!found && IsOfOneReply(found.error())) return pending.Refuse(found.error());
  return pending.Found(std::move(found));
}

// What many operations come to.
struct Tally {
  std::mutex mutex;
  size_t left = 0;
  Result<ForgottenMessages> sum;
  Service::OnAllForgotten done;

  void Count(const Result<std::optional<Follower::Outcome>>& outcome) {
    std::unique_lock lock(mutex);
    if (!outcome) {
      sum = tl::unexpected(outcome.error());
    } else if (!*outcome) {
      sum = tl::unexpected(
          Error{kBusy, "this is kept until the shared log has it; then all nodes forget the messages"});
    } else if (sum) {
      sum->messages += (*outcome)->forgotten.messages;
      sum->examples += (*outcome)->forgotten.examples;
      for (const auto& key : (*outcome)->forgotten.keys) sum->keys.push_back({key.message_id, key.digest});
    }
    if (--left > 0) return;
    lock.unlock();
    done(sum);
  }
};

// The key under which the message was taught; nothing if it was not, or has left the log.
Result<std::optional<tokenizer::MessageKey>> TaughtKeyIfAny(const Model& model, const MeantMessage& meant) {
  const auto key = TaughtKey(model, meant.keys, *meant.features);
  if (key) return *key;
  if (key.error().exit_code == kNoInput) return std::nullopt;
  return tl::unexpected(key.error());
}

}  // namespace

// What is to be forgotten, of a model that follows a log.
struct ModelService::ToForget {
  Act act = Act::kForget;
  std::vector<tokenizer::MessageKey> keys;
  uint64_t spooled = 0;
};

// `find` takes it out of the spool of this node.
void ModelService::ForgetByLog(std::function<Result<ToForget>(Model&)> find, OnAllForgotten done) {
  Post(JobFor<ToForget>(
      [this, done = std::move(done)](const Result<ToForget>& meant) {
        if (!meant) return done(tl::unexpected(meant.error()));
        SubmitToForget(*meant, done);
      },
      [find = std::move(find)](Model& model, Pending<ToForget>& pending) {
        return Say(pending, find(model));
      }));
}

// Who asked is told when this node has forgotten all of it.
void ModelService::SubmitToForget(const ToForget& meant, OnAllForgotten done) {
  const auto tally = std::make_shared<Tally>();
  tally->left = meant.keys.size();
  tally->sum = ForgottenMessages{.spooled = meant.spooled};
  tally->done = std::move(done);
  if (meant.keys.empty()) return tally->done(tally->sum);
  for (const tokenizer::MessageKey& key : meant.keys) {
    Operation operation;
    operation.act = meant.act;
    operation.time_us = UnixMicroseconds();
    operation.keys.own = key;
    shared_log_->Submit(std::move(operation), [tally](const auto& outcome) { tally->Count(outcome); });
  }
}

void ModelService::Forget(std::string_view message, const Whose& whose, OnForgotten done) {
  const auto asked = Prepare(message, whose);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  if (shared_log_) {
    const auto named = std::make_shared<tokenizer::MessageKey>();
    const auto find = [this, settings = asked->settings, meant, named](Model& model) -> Result<ToForget> {
      const auto known = TaughtKeyIfAny(model, *meant);
      if (!known) return tl::unexpected(known.error());
      const tokenizer::MessageKey key = known->value_or(KeyToTeach(meant->keys));
      *named = key;
      SpoolWith(key.message_id, *settings, model).Remove(key);
      // What nobody was taught need not be forgotten, unless it waits to be taught.
      const bool may_be_known = known->has_value() || shared_log_->Figures().outbox > 0;
      return ToForget{.keys = may_be_known ? std::vector{key} : std::vector<tokenizer::MessageKey>()};
    };
    return ForgetByLog(find, [named, done = std::move(done)](const Result<ForgottenMessages>& forgotten) {
      done(forgotten.map([&](const ForgottenMessages& all) {
        return ForgottenMessage{*named, all.examples > 0};
      }));
    });
  }
  Post(JobFor<ForgottenMessage>(std::move(done), [this, settings = asked->settings, meant](
                                                     Model& model, Pending<ForgottenMessage>& pending) {
    const auto known = TaughtKeyIfAny(model, *meant);
    if (!known) return pending.Found(tl::unexpected(known.error()));
    const tokenizer::MessageKey key = known->value_or(KeyToTeach(meant->keys));
    const Spool spool = SpoolWith(key.message_id, *settings, model);
    if (!*known) {  // to look for it would take a checkpoint and the whole log
      spool.Remove(key);
      return pending.Found(ForgottenMessage{key, /*was_taught=*/false});
    }
    return pending.Found(pipeline::ForgetThese(model, spool, {key}).map([&](const ForgottenMessages& all) {
      return ForgottenMessage{key, all.examples > 0};
    }));
  }));
}

void ModelService::FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind,
                              OnKey done) {
  const auto asked = Prepare(message, whose, kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  Post(JobFor<tokenizer::MessageKey>(std::move(done),
                                     [meant](Model& model, Pending<tokenizer::MessageKey>& pending) {
                                       return Say(pending, TaughtKey(model, meant->keys, *meant->features));
                                     }));
}

void ModelService::FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) {
  const auto name = UserOf(whose, *settings());
  if (!name) return done(tl::unexpected(name.error()));
  Post(JobFor<tokenizer::MessageKey>(
      std::move(done), [named, user = *name](Model& model, Pending<tokenizer::MessageKey>& pending) {
        return Say(pending, TaughtKey(model, user, named.message_id, named.digest));
      }));
}

void ModelService::ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                               OnAllForgotten done) {
  const auto settings = this->settings();
  const auto name = UserOf(whose, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  std::vector<tokenizer::MessageKey> owned = keys;
  for (tokenizer::MessageKey& key : owned) key.message_id = tokenizer::MessageIdOf(*name, key.message_id);
  if (shared_log_) {
    const auto find = [this, settings, owned](Model& model) -> Result<ToForget> {
      const Spool spool = WholeSpool(*settings, model);
      for (const tokenizer::MessageKey& key : owned) spool.Remove(key);
      return ToForget{.keys = owned};
    };
    return ForgetByLog(find, std::move(done));
  }
  Post(JobFor<ForgottenMessages>(std::move(done), [this, settings, owned = std::move(owned)](
                                                      Model& model, Pending<ForgottenMessages>& pending) {
    return Say(pending, pipeline::ForgetThese(model, WholeSpool(*settings, model), owned));
  }));
}

void ModelService::ForgetAllOf(const Whose& whose, OnAllForgotten done) {
  const auto settings = this->settings();
  const auto name = UserOf(whose, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  // In a model of one user, all messages are those of nobody in particular.
  if (name->empty() && settings->serve.models != "user")
    return done(tl::unexpected(Error{kData, "expected a user, whose messages are forgotten"}));
  if (name->empty() && shared_log_) {
    return done(tl::unexpected(Error{
        kData, "a shared log has no record that takes all messages out of a model: forget them one by one"}));
  }
  if (shared_log_) {
    const auto in_spool = std::make_shared<std::optional<Error>>();
    const auto find = [this, settings, user = *name, in_spool](Model& model) -> Result<ToForget> {
      const auto spooled = WholeSpool(*settings, model).RemoveIf([&](std::string_view message_id) {
        return tokenizer::UserAndMessageId(message_id).user == user;
      });
      if (!spooled) *in_spool = LeftInSpool(spooled.error());
      return ToForget{.act = Act::kForgetAllOf, .keys = {{user, ""}}, .spooled = spooled.value_or(0)};
    };
    return ForgetByLog(find, [user = *name, in_spool, done](const Result<ForgottenMessages>& forgotten) {
      if (forgotten && *in_spool) return done(tl::unexpected(**in_spool));
      const bool is_nothing = forgotten && forgotten->examples == 0 && forgotten->spooled == 0;
      done(is_nothing ? tl::unexpected(NothingToForget(user)) : forgotten);
    });
  }
  Post(JobFor<ForgottenMessages>(
      std::move(done), [this, settings, user = *name](Model& model, Pending<ForgottenMessages>& pending) {
        return Say(pending, pipeline::ForgetAllOf(user, model, WholeSpool(*settings, model)));
      }));
}

}  // namespace thresher::pipeline
