#include "pipeline/serve/model_service.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "pipeline/opening/opening.h"
#include "pipeline/serve/message_to_teach.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/serve/wall_clock.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// A daemon makes a model, but no store: its path may have been mistyped, and mail would then be Unsure for
// good.
Result<void> CheckStoreExists(const Settings& settings) {
  std::error_code failed;
  if (std::filesystem::exists(settings.store_path, failed)) return {};
  return tl::unexpected(
      Error{kNoInput, fmt::format("{}: there is no such store: make it by `thresher learn`, or as an "
                                  "empty folder (mkdir -m 700)",
                                  settings.store_path)});
}

// Not in the model's folder: a copy of that is another author (outbox.h).
std::filesystem::path OutboxOf(const Settings& settings) {
  return ModelDirectory(settings).string() + ".outbox";
}

}  // namespace
ModelService::ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change,
                           History* history, LogToFollow shared)
    : settings_(std::make_shared<Settings>(settings)),
      history_(history),
      shared_log_(
          shared.log == nullptr
              ? nullptr
              : std::make_unique<SharedLog>(
                    std::move(shared.log), settings.cluster, OutboxOf(settings),
                    SharedLog::Hooks{.post = [this](ModelThread::Job job) { thread_.Post(std::move(job)); },
                                     .on_change = std::move(shared.on_change)})),
      thread_({.open = [this, settings]() -> Result<std::unique_ptr<Model>> {
                 if (auto exists = CheckStoreExists(settings); !exists) return tl::unexpected(exists.error());
                 if (shared_log_) return shared_log_->Open(ModelDirectory(settings), settings);
                 WriteAccess access = TeachingAccess(settings);
                 access.wait = {};  // ModelThread tries again
                 return OpenOrCreateModel(ModelDirectory(settings), settings, access);
               },
               .on_open = [this](Model& model) { return OnOpen(model); },
               .on_change = std::move(on_change)},
              settings.serve.queue) {}

// What reads the log gives jobs to the model's thread.
ModelService::~ModelService() {
  if (shared_log_) shared_log_->Stop();
}

std::shared_ptr<const Settings> ModelService::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

std::shared_ptr<const SenderLists> ModelService::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

void ModelService::SetLists(SenderLists lists) {
  auto next = std::make_shared<SenderLists>(std::move(lists));
  const std::lock_guard lock(mutex_);
  lists_ = std::move(next);
}

void ModelService::Reload(const Settings& settings) {
  auto next = std::make_shared<Settings>(settings);
  const std::lock_guard lock(mutex_);
  next->store_path = settings_->store_path;
  next->model = settings_->model;
  next->features.marks = settings_->features.marks;
  next->cluster = settings_->cluster;
  settings_ = std::move(next);
}

// The user whose mail it is.
Result<std::string> ModelService::UserOf(std::string_view named, const Settings& settings) {
  if (named.empty() || !settings.serve.users) return settings.user;
  if (!tokenizer::IsUserName(named)) {
    return tl::unexpected(Error{kData, fmt::format("the name of the user has 1 to {} bytes, without slashes, "
                                                   "spaces and control characters",
                                                   tokenizer::kMaxUserName)});
  }
  return std::string(named);
}

Result<void> ModelService::OnOpen(Model& model) {
  auto live = model.MakeLiveScorer();
  if (!live) return tl::unexpected(live.error());
  live_ = *live;
  seats_.Replace(*std::move(live));
  return shared_log_ ? shared_log_->OnOpen(model) : Result<void>();
}

// Any exception is that of this message.
Result<ModelService::Asked> ModelService::Prepare(std::string_view message, std::string_view user,
                                                  tokenizer::Kind kind) {
  try {
    Asked asked{.settings = settings(), .seat = seats_.Take()};
    if (!asked.seat) {
      const Result<void> ready = Ready();
      return tl::unexpected(Error{kBusy, ready ? "the model is being opened" : ready.error().message});
    }
    const auto name = UserOf(user, *asked.settings);
    if (!name) return tl::unexpected(name.error());
    asked.seat->judge.Read(message, kind, *name);
    return asked;
  } catch (const std::exception& fault) {
    return tl::unexpected(Error{kInternal, fault.what()});
  }
}

Result<Judged> ModelService::Classify(std::string_view message, std::string_view user) {
  const auto asked = Prepare(message, user);
  if (!asked) return tl::unexpected(asked.error());
  const auto keep = [this](const Spool& spool, const tokenizer::MessageKey& key,
                           tokenizer::Features* features) { spool_writer_.Keep(spool, key, features); };
  return asked->seat->judge.Judge(message, *asked->settings, *lists(), keep);
}

void ModelService::Learn(std::string_view message, std::string_view user, const Instruction& how,
                         OnTaught done) {
  const auto asked = Prepare(message, user, how.kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  const auto find = [meant](const Model&, const Spool&) -> Result<MeantMessage> { return std::move(*meant); };
  Teach(std::make_shared<MessageToTeach>(MessageToTeach{
      asked->settings, std::move(done), asked->keys().own.message_id, find, how.label, how.circumstances}));
}

void ModelService::Feedback(const Reply& reply, std::string_view user, OnTaught done) {
  const std::shared_ptr<const Settings> settings = this->settings();
  const auto name = UserOf(user, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  const std::string id = tokenizer::MessageIdOf(*name, reply.message_id);
  const auto find = [reply, id, user = *name](const Model& model,
                                              const Spool& spool) -> Result<MeantMessage> {
    // A whole spool has many names, which need not be read to find one.
    const auto spooled =
        reply.digest.empty() ? spool.List() : Result<Spool::Listing>(spool.ListOf({id, reply.digest}));
    if (!spooled) return tl::unexpected(spooled.error());
    return FindMeant(model, spool, *spooled, user, reply);
  };
  Teach(
      std::make_shared<MessageToTeach>(MessageToTeach{settings, std::move(done), id, find, reply.label, {}}));
}

void ModelService::Teach(const std::shared_ptr<MessageToTeach>& message) {
  if (shared_log_) return TeachByLog(message);
  struct Done {
    TaughtMessage taught;
    std::shared_ptr<const Spool> spool;
  };
  thread_.Post(JobFor<Done>(
      [message](const Result<Done>& done) {
        if (!done) return message->done(tl::unexpected(done.error()));
        for (const tokenizer::MessageKey& key : done->taught.spooled) done->spool->Remove(key);
        message->done(done->taught);
      },
      [this, message](Model& model, Pending<Done>& pending) {
        const auto spool =
            std::make_shared<const Spool>(SpoolWith(message->message_id, *message->settings, model));
        const auto meant = message->find(model, *spool);
        // Nothing was changed. It may be the spool only that cannot be read.
        if (!meant) return pending.Refuse(meant.error());
        if (!meant->features) return pending.Found(Done{{TeachResult::kKnown, meant->keys.own}, spool});
        auto taught = TeachOfSeveral(model, *spool, *meant->features, message->label, meant->keys,
                                     message->circumstances);
        if (!taught) return pending.Found(tl::unexpected(taught.error()));
        if (auto sampled = Sample(model); !sampled) return pending.Found(tl::unexpected(sampled.error()));
        return pending.Found(Done{*std::move(taught), spool});
      }));
}

Spool ModelService::SpoolWith(std::string_view message_id, const Settings& settings, const Model& model) {
  spool_writer_.WriteNow(message_id);
  return SpoolOf(settings, model.identity().MakeIdSpace());
}

Spool ModelService::WholeSpool(const Settings& settings, const Model& model) {
  spool_writer_.WriteAllNow();
  return SpoolOf(settings, model.identity().MakeIdSpace());
}

Result<void> ModelService::Stop() {
  if (shared_log_) shared_log_->Stop();
  Result<void> stopped = thread_.Stop();
  looks_.Finish();
  spool_writer_.Finish();
  return stopped;
}

Result<void> ModelService::Sample(Model& model) {
  const int64_t now = UnixSeconds();
  if (std::abs(now - sampled_) < History::kStepSeconds) return {};
  sampled_ = now;
  if (history_ != nullptr) history_->Measure(live_->CountWeights(), now);
  const std::lock_guard lock(series_mutex_);
  const std::vector<uint64_t> ids = series_.watched();
  const auto entries = model.Inspect().vocabulary().Lookup(ids);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<double> weights;
  for (const VocabularyEntry& entry : *entries) weights.push_back(entry.weight);
  series_.Add(ids, weights, now);
  return {};
}

}  // namespace thresher::pipeline
