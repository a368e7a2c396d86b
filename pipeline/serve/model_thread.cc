#include "pipeline/serve/model_thread.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr std::chrono::seconds kTryAgain{3};
// Checkpoints of a large model, which take long, take one of so many parts of the time at most.
constexpr int kPartsOfTime = 20;

Error Opening() { return {kBusy, "the model is being opened"}; }

// Who asks meanwhile may try again, whatever keeps the model from being opened.
Error NotReady(const Error& why) { return {kBusy, why.message}; }

// What closes the model is no fault of a request, also where the store is damaged (kData).
Error NotTheRequests(Error why) {
  if (why.exit_code == kData || why.exit_code == kNoInput) why.exit_code = kIo;
  return why;
}

// Runs what may throw, as everything may that allocates.
template <class Body>
Result<void> Guarded(const Body& body) {
  try {
    return body();
  } catch (const std::exception& fault) {
    return tl::unexpected(Error{kInternal, fault.what()});
  }
}

}  // namespace

ModelThread::ModelThread(Hooks hooks, size_t longest_queue)
    : hooks_(std::move(hooks)),
      longest_queue_(longest_queue),
      ready_(tl::unexpected(Opening())),
      thread_([this] { Work(); }) {}

ModelThread::~ModelThread() { Stop(); }

void ModelThread::Post(Job job) {
  std::unique_lock lock(mutex_);
  if (const std::optional<Error> refused = WhyRefused()) {
    lock.unlock();
    job.done(tl::unexpected(*refused));
    return;
  }
  jobs_.push_back(std::move(job));
  lock.unlock();
  changed_.notify_all();
}

std::optional<Error> ModelThread::WhyRefused() const {
  if (stop_) return Error{kBusy, "the daemon is stopping"};
  if (!ready_ && was_tried_) return NotReady(ready_.error());
  if (jobs_.size() >= longest_queue_)
    return Error{kBusy, "too many messages wait to be taught; try again later"};
  return std::nullopt;
}

Result<void> ModelThread::Ready() const {
  const std::lock_guard lock(mutex_);
  return ready_;
}

bool ModelThread::AwaitFirstOpening(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return was_tried_; });
}

size_t ModelThread::waiting() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void ModelThread::BeginStop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
}

Result<void> ModelThread::Stop() {
  BeginStop();
  if (thread_.joinable()) thread_.join();
  return stopped_;
}

void ModelThread::Work() {
  while (true) {
    if (!model_) Open();
    TellOfCheckpoint();
    const std::vector<Job> jobs = AwaitJobs();
    if (!jobs.empty()) {
      Do(jobs);
    } else {
      const std::lock_guard lock(mutex_);
      if (stop_) break;
    }
    CheckpointIfDue();
  }
  if (model_) stopped_ = Guarded([&] { return model_->Checkpoint(); });
  model_.reset();
}

void ModelThread::Open() {
  const Result<void> opened = Guarded([&]() -> Result<void> {
    auto model = hooks_.open();
    if (!model) return tl::unexpected(model.error());
    model_ = *std::move(model);
    return hooks_.on_open(*model_);
  });
  if (!opened) model_.reset();
  told_.reset();
  NoteWhatWasTaught();
  Say(opened);
  {
    const std::lock_guard lock(mutex_);
    was_tried_ = true;
  }
  changed_.notify_all();
}

std::vector<ModelThread::Job> ModelThread::AwaitJobs() {
  std::unique_lock lock(mutex_);
  const auto is_something_to_do = [this] { return stop_ || !jobs_.empty(); };
  if (!model_) {
    changed_.wait_for(lock, kTryAgain, is_something_to_do);
  } else if (checkpoint_) {
    changed_.wait_until(lock, *checkpoint_, is_something_to_do);
  } else {
    changed_.wait(lock, is_something_to_do);
  }
  return std::exchange(jobs_, {});
}

void ModelThread::Do(const std::vector<Job>& jobs) {
  Result<void> sound = model_ ? Result<void>() : Ready().map_error(NotReady);
  for (const Job& job : jobs) {
    if (!sound) break;
    sound = Guarded([&] { return job.run(*model_); });
  }
  if (sound) sound = Guarded([&] { return model_->Acknowledge(); });
  NoteWhatWasTaught();
  // Before anybody hears of the failure, nothing more is accepted.
  if (!sound) Close(sound.error());
  const Result<void> done = sound.map_error(NotTheRequests);
  for (const Job& job : jobs) job.done(done);
}

// Most jobs teach nothing, and put nothing off.
void ModelThread::NoteWhatWasTaught() {
  const bool has_news = model_ && model_->Inspect().log().last_seq > model_->Inspect().log().checkpoint_seq;
  if (!has_news) {
    checkpoint_.reset();
  } else if (!checkpoint_) {
    checkpoint_ =
        Clock::now() + std::max<Clock::duration>(hooks_.until_checkpoint, kPartsOfTime * checkpoint_took_);
  }
}

void ModelThread::CheckpointIfDue() {
  if (!checkpoint_ || Clock::now() < *checkpoint_) return;
  checkpoint_.reset();
  const Clock::time_point begin = Clock::now();
  if (auto done = Guarded([&] { return model_->Checkpoint(); }); !done) Close(done.error());
  TellOfCheckpoint();
  checkpoint_took_ = Clock::now() - begin;
}

void ModelThread::TellOfCheckpoint() {
  if (!model_) return;
  const uint64_t seq = model_->Inspect().log().checkpoint_seq;
  if (told_ == seq) return;
  told_ = seq;
  if (auto done = Guarded([&] { return hooks_.on_checkpoint(*model_); }); !done) Close(done.error());
}

void ModelThread::Close(Error reason) {
  model_.reset();
  checkpoint_.reset();
  Say(tl::unexpected(std::move(reason)));
}

void ModelThread::Say(Result<void> ready) {
  {
    const std::lock_guard lock(mutex_);
    const bool same = ready ? ready_.has_value() : !ready_ && ready_.error().message == ready.error().message;
    if (same) return;
    ready_ = ready;
  }
  hooks_.on_change(ready);
}

}  // namespace thresher::pipeline
