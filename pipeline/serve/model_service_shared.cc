// How a service teaches a model that follows a log: what is to be taught goes into the log, not into the
// model.
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "pipeline/delivery/teaching.h"
#include "pipeline/serve/message_to_teach.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/serve/model_service.h"
#include "pipeline/wall_clock.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {

// Whoever teaches is answered by the log, not by the job.
void ModelService::TeachByLog(const std::shared_ptr<MessageToTeach>& message) {
  const auto submitted = std::make_shared<bool>(false);
  Post({.run = [this, message, submitted](Model& model) -> Result<void> {
          auto done = SubmitToLog(message, model);
          *submitted = true;
          if (!done) message->done(tl::unexpected(done.error()));
          NoteSize(model.memory_bytes());
          return {};
        },
        .done =
            [message, submitted](const Result<void>& acknowledged) {
              if (!*submitted) message->done(tl::unexpected(acknowledged.error()));
            }});
}

// An error is this request's; otherwise it is answered later.
Result<void> ModelService::SubmitToLog(const std::shared_ptr<MessageToTeach>& message, Model& model) {
  const auto spool = std::make_shared<const Spool>(SpoolWith(message->message_id, *message->settings, model));
  const auto meant = message->find(model, *spool);
  if (!meant) return tl::unexpected(meant.error());
  if (!meant->features) {
    // Known as that, unless something that waits says otherwise.
    if (shared_log_->Figures().outbox > 0)
      return tl::unexpected(Error{kBusy, "other messages wait for the log; try again later"});
    message->done(TaughtMessage{TeachResult::kKnown, meant->keys.own});
    return {};
  }
  const auto spooled = KeysInSpool(*spool, meant->keys, *meant->features);
  Operation operation{.time_us = UnixMicroseconds(),
                      .label = message->label,
                      .circumstances = message->circumstances,
                      .is_reply = !spooled.empty(),
                      .keys = meant->keys,
                      .features = {}};
  tokenizer::EncodeFeatures(*meant->features, model.identity().MakeIdSpace(), &operation.features);
  // What waits stays in the spool: another feedback may need it.
  const auto answer = [message, spooled, spool, key = meant->keys.own](const auto& done) {
    if (!done) return message->done(tl::unexpected(done.error()));
    if (!*done) return message->done(TaughtMessage{TeachResult::kWaiting, key});
    for (const tokenizer::MessageKey& each : spooled) spool->Remove(each);
    message->done((*done)->taught);
  };
  shared_log_->Submit(std::move(operation), answer);
  return {};
}

std::optional<LogFigures> ModelService::Log() const {
  return shared_log_ ? std::optional(shared_log_->Figures()) : std::nullopt;
}

void ModelService::Settle() {
  {
    const std::lock_guard lock(thread_mutex_);
    if (!shared_log_ || !thread_) return;
  }
  // What waits for the thread may yet wait for the log.
  std::promise<void> done;
  Post(
      {.run = [](Model&) { return Result<void>(); }, .done = [&](const Result<void>&) { done.set_value(); }});
  done.get_future().wait();
  shared_log_->Settle();
}

bool ModelService::Deliver(std::chrono::milliseconds patience) {
  return Thread() && shared_log_->AwaitPublished(patience);
}

bool ModelService::IsAskDue() {
  constexpr std::chrono::seconds kAskAgain{1};
  if (!shared_log_ || !judges_by_image_) return false;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  auto asked = asked_.load();
  if (asked.count() != 0 && now - asked < kAskAgain) return false;
  return asked_.compare_exchange_strong(asked, now);
}

void ModelService::AskLog() {
  if (!judges_by_image_) return;
  const auto last = shared_log_->LastOfLog();
  bool has_all = false;
  {
    const std::lock_guard lock(image_mutex_);
    has_all = !last || *last == image_position_;
  }
  if (!has_all) static_cast<void>(Thread());
}

void ModelService::DescribeLog(std::function<void(const Result<LogDescription>&)> done) {
  if (!shared_log_) return done(tl::unexpected(Error{kNoInput, "this model follows no log"}));
  Post(JobFor<LogDescription>(std::move(done), [this](Model& model, Pending<LogDescription>& pending) {
    auto digest = model.Digest();
    if (!digest) return pending.Found(tl::unexpected(digest.error()));
    LogDescription described{shared_log_->Figures(), *std::move(digest), shared_log_->Nodes()};
    described.figures.position = shared_log_->position();
    return pending.Found(std::move(described));
  }));
}

}  // namespace thresher::pipeline
