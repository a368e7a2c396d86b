#include "pipeline/serve/model_service.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "pipeline/cluster/closed_position.h"
#include "pipeline/cluster/outbox.h"
#include "pipeline/opening/opening.h"
#include "pipeline/serve/message_to_teach.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/settings/model_name.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// Few are larger. What the tokenizer needs for one takes far longer than to make another tokenizer.
constexpr size_t kLargeMessage = size_t{256} << 10;

}  // namespace

std::filesystem::path OutboxOf(const Settings& settings) { return ModelDirectory(settings) += kOutboxEnd; }

Result<size_t> WaitingInOutboxOf(const Settings& settings) {
  return Outbox::LookInto(OutboxOf(settings)).map([](const auto& found) {
    return found ? found->waiting : size_t{0};
  });
}

Settings WithWhatStays(Settings next, const Settings& now) {
  next.store_path = now.store_path;
  next.model = now.model;
  next.features.marks = now.features.marks;
  next.cluster = now.cluster;
  next.serve.models = now.serve.models;
  return next;
}

Result<void> CheckStoreExists(const Settings& settings) {
  std::error_code failed;
  if (std::filesystem::exists(settings.store_path, failed)) return {};
  if (failed)
    return tl::unexpected(
        Error{kNoInput, fmt::format("cannot read {}: {}", settings.store_path, failed.message())});
  return tl::unexpected(
      Error{kNoInput, fmt::format("{}: there is no such store: make it by `thresher learn`, or as an "
                                  "empty folder (mkdir -m 700)",
                                  settings.store_path)});
}

ModelService::ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change,
                           Parts parts)
    : settings_(std::make_shared<Settings>(settings)),
      on_change_(std::move(on_change)),
      may_open_(std::move(parts.may_open)),
      until_checkpoint_(parts.until_checkpoint),
      beside_(std::move(parts.beside)),
      history_(parts.history),
      shared_log_(parts.shared.log == nullptr
                      ? nullptr
                      : std::make_unique<SharedLog>(
                            std::move(parts.shared.log), settings.cluster, OutboxOf(settings),
                            SharedLog::Hooks{.post = [this](ModelThread::Job job) { Post(std::move(job)); },
                                             .on_change = std::move(parts.shared.on_change),
                                             .followed = std::move(parts.shared.followed)})) {
  if (may_open_) {
    const std::lock_guard lock(image_mutex_);
    OpenImage();
  } else {
    static_cast<void>(Thread());
  }
}

// What reads the log gives jobs to the model's thread.
ModelService::~ModelService() {
  static_cast<void>(Stop());
  NoteSize(0);
}

void ModelService::OpenImage() {
  const auto settings = this->settings();
  const std::filesystem::path directory = ModelDirectory(*settings);
  // Before the image: at worst, one is opened twice.
  const storage::LogNoteStamp stamp = storage::StampOfLogNote(directory);
  if (!storage::IsClosedStore(directory)) return;
  const auto position = shared_log_ ? ReadClosedPosition(directory) : 0;
  if (!position) return;
  auto scorer = OpenImageScorer(directory, *settings);
  if (!scorer || *scorer == nullptr) return;
  seats_.Replace(*std::move(scorer), false);
  image_stamp_ = stamp;
  image_position_ = *position;
  judges_by_image_ = true;
}

void ModelService::RenewImage() {
  const storage::LogNoteStamp stamp = storage::StampOfLogNote(ModelDirectory(*settings()));
  {
    const std::lock_guard lock(image_mutex_);
    const bool is_being_written = stamp == storage::LogNoteStamp();
    if (!judges_by_image_ || is_being_written || stamp == image_stamp_) return;
    OpenImage();
    if (!shared_log_ || stamp == image_stamp_) return;
  }
  // Another model was put in its place, and nobody knows how far that is.
  static_cast<void>(Thread());
}

Result<ModelThread*> ModelService::Thread() {
  const std::lock_guard opening(opening_mutex_);
  {
    const std::lock_guard lock(thread_mutex_);
    if (thread_) return thread_.get();
  }
  begun_ = std::chrono::steady_clock::now();
  // Waits until others are closed; who only asks how this one is must not wait for that.
  const auto may = may_open_ ? may_open_() : Result<void>();
  if (!may) return tl::unexpected(may.error());
  const std::lock_guard lock(thread_mutex_);
  if (is_stopped_) return tl::unexpected(Error{kBusy, "the daemon is stopping"});
  const auto settings = this->settings();
  if (shared_log_ && !shared_log_->is_begun()) shared_log_->Begin();
  thread_ = std::make_unique<ModelThread>(
      ModelThread::Hooks{.open = [this, settings]() -> Result<std::unique_ptr<Model>> {
                           if (auto exists = CheckStoreExists(*settings); !exists)
                             return tl::unexpected(exists.error());
                           if (shared_log_) return shared_log_->Open(ModelDirectory(*settings), *settings);
                           WriteAccess access = TeachingAccess(*settings);
                           access.wait = {};  // ModelThread tries again
                           const std::filesystem::path directory = ModelDirectory(*settings);
                           // One that was there and is gone is not made anew: all mail would be Unsure.
                           return live_ || judges_by_image_ ? OpenModel(directory, *settings, access)
                                                            : OpenOrCreateModel(directory, *settings, access);
                         },
                         .on_open = [this](Model& model) { return OnOpen(model); },
                         .on_checkpoint = [this](Model& model) { return Sample(model); },
                         .on_change = on_change_,
                         .until_checkpoint = until_checkpoint_},
      settings->serve.queue);
  return thread_.get();
}

void ModelService::Post(ModelThread::Job job) {
  const auto thread = Thread();
  if (!thread) return job.done(tl::unexpected(thread.error()));
  (*thread)->Post(std::move(job));
}

// Counted from the moment that it began, so that a model that takes long does not hold a thread for each of
// its messages.
Result<void> ModelService::AwaitModel() {
  const auto thread = Thread();
  if (!thread) return tl::unexpected(thread.error());
  const auto patience = std::chrono::duration<double>(settings()->serve.open_seconds);
  const auto left = begun_ + patience - std::chrono::steady_clock::now();
  (*thread)->AwaitFirstOpening(std::chrono::duration_cast<std::chrono::milliseconds>(left));
  return Ready();
}

Result<void> ModelService::Ready() const {
  const std::lock_guard lock(thread_mutex_);
  return thread_ ? thread_->Ready() : Result<void>();
}

size_t ModelService::waiting() const {
  const std::lock_guard lock(thread_mutex_);
  return thread_ ? thread_->waiting() : 0;
}

Result<std::string> ModelService::ModelOf(const Whose& /*whose*/) const { return settings()->model; }

std::shared_ptr<const Settings> ModelService::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

std::shared_ptr<const SenderLists> ModelService::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

void ModelService::SetLists(std::shared_ptr<const SenderLists> lists) {
  const std::lock_guard lock(mutex_);
  lists_ = std::move(lists);
}

void ModelService::Reload(const Settings& settings) {
  const std::lock_guard lock(mutex_);
  settings_ = std::make_shared<Settings>(WithWhatStays(settings, *settings_));
}

// The user whose mail it is.
Result<std::string> ModelService::UserOf(const Whose& whose, const Settings& settings) {
  const std::string_view named = whose.user;
  if (named.empty() || (!settings.serve.users && !whose.insists)) return settings.user;
  if (!settings.serve.users && named != settings.user)
    return tl::unexpected(Error{kData, "this daemon does not tell users apart (serve.users)"});
  if (!tokenizer::IsUserName(named)) {
    return tl::unexpected(Error{kData, fmt::format("the name of the user has 1 to {} bytes, without slashes, "
                                                   "ASCII spaces and control characters",
                                                   tokenizer::kMaxUserName)});
  }
  return std::string(named);
}

Result<void> ModelService::OnOpen(Model& model) {
  auto live = model.MakeLiveScorer();
  if (!live) return tl::unexpected(live.error());
  live_ = *live;
  {
    const std::lock_guard lock(image_mutex_);
    judges_by_image_ = false;
    seats_.Replace(*std::move(live));
  }
  NoteSize(model.memory_bytes());
  return shared_log_ ? shared_log_->OnOpen(model) : Result<void>();
}

// Any exception is that of this message.
Result<ModelService::Asked> ModelService::Prepare(std::string_view message, const Whose& whose,
                                                  tokenizer::Kind kind) {
  try {
    Asked asked{.settings = settings(), .seat = {}};
    // First: what is refused makes no model.
    const auto name = UserOf(whose, *asked.settings);
    if (!name) return tl::unexpected(name.error());
    if (judges_by_image_) RenewImage();
    asked.seat = seats_.Take();
    if (!asked.seat) {
      const Result<void> ready = AwaitModel();
      if (ready) asked.seat = seats_.Take();
      if (!asked.seat)
        return tl::unexpected(Error{kBusy, ready ? "the model is being opened" : ready.error().message});
    }
    asked.seat->was_large = message.size() > kLargeMessage;
    asked.seat->judge.Read(message, kind, *name);
    return asked;
  } catch (const std::exception& fault) {
    return tl::unexpected(Error{kInternal, fault.what()});
  }
}

Result<Judged> ModelService::Classify(std::string_view message, const Whose& whose) {
  const auto asked = Prepare(message, ToJudge(whose));
  if (!asked) return tl::unexpected(asked.error());
  const auto keep = [this](const Spool& spool, const tokenizer::MessageKey& key,
                           tokenizer::Features* features) -> Result<void> {
    beside_->spool_writer.Keep(spool, key, features);
    return {};
  };
  return asked->seat->judge.Judge(message, *asked->settings, *lists(), keep);
}

void ModelService::Learn(std::string_view message, const Whose& whose, const Instruction& how,
                         OnTaught done) {
  if (message.empty()) return done(tl::unexpected(Error{kData, "there is no message"}));
  const auto asked = Prepare(message, whose, how.kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant = std::make_shared<MeantMessage>(MeantMessage{asked->keys(), asked->TakeFeatures()});
  const auto find = [meant](const Model&, const Spool&) -> Result<MeantMessage> { return std::move(*meant); };
  Teach(std::make_shared<MessageToTeach>(MessageToTeach{
      asked->settings, std::move(done), asked->keys().own.message_id, find, how.label, how.circumstances}));
}

void ModelService::Feedback(const Reply& reply, const Whose& whose, OnTaught done) {
  const std::shared_ptr<const Settings> settings = this->settings();
  const auto name = UserOf(whose, *settings);
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
  Post(JobFor<Done>(
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
        NoteSize(model.memory_bytes());
        return pending.Found(Done{*std::move(taught), spool});
      }));
}

Spool ModelService::SpoolWith(std::string_view message_id, const Settings& settings, const Model& model) {
  beside_->spool_writer.WriteNow(message_id);
  return SpoolOf(settings, model.decoder());
}

Spool ModelService::WholeSpool(const Settings& settings, const Model& model) {
  beside_->spool_writer.WriteAllNow();
  return SpoolOf(settings, model.decoder());
}

void ModelService::BeginStop() {
  const std::lock_guard lock(thread_mutex_);
  if (thread_) thread_->BeginStop();
}

Result<void> ModelService::Stop() {
  {
    const std::lock_guard lock(thread_mutex_);
    is_stopped_ = true;
  }
  if (shared_log_) shared_log_->Stop();
  Result<void> stopped = thread_ ? thread_->Stop() : Result<void>();
  // It was open, and is closed with a checkpoint.
  if (thread_ && shared_log_ && stopped && thread_->Ready())
    WriteClosedPosition(ModelDirectory(*settings()), shared_log_->Figures().position);
  beside_->spool_writer.WriteAllNow();
  return stopped;
}

// A plain number of all models together: what it costs to have this one open.
void ModelService::NoteSize(size_t bytes) {
  beside_->memory_bytes += bytes - noted_bytes_;  // either may be more
  noted_bytes_ = bytes;
}

}  // namespace thresher::pipeline
