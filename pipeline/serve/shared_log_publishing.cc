// The thread of a shared log that publishes: it keeps what users teach in the outbox, and gives it to the
// log.
#include <fmt/format.h>

#include <future>
#include <memory>
#include <utility>

#include "pipeline/serve/shared_log.h"

namespace thresher::pipeline {
namespace {

// A thread that has nothing to publish for so long ends.
constexpr std::chrono::seconds kPublisherIdle{1};

}  // namespace

// The outbox is that of the process that has the model's lock. False: there is nothing to do any more.
bool SharedLog::AwaitModel() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stop_ || identity_; });
  return !stop_;
}

bool SharedLog::OpenOutbox() {
  uint64_t identity = 0;
  {
    const std::lock_guard lock(mutex_);
    identity = identity_->Digest();
  }
  auto opened = Outbox::Open(outbox_path_, settings_.outbox_bytes, newcomer_);
  const Result<void> ours = opened ? (*opened)->CheckIsFor(identity) : Result<void>();
  if (!ours) opened = tl::unexpected(ours.error());
  Say(&not_published_, opened ? "" : opened.error().message);
  std::vector<Submitted> refused;
  {
    const std::lock_guard lock(mutex_);
    if (opened) {
      outbox_ = *std::move(opened);
      author_ = outbox_->author();
      figures_.outbox = outbox_->size();
      figures_.outbox_bytes = outbox_->bytes();
      changed_.notify_all();
      return true;
    }
    refused = std::exchange(submitted_, {});
  }
  for (const Submitted& each : refused) each.done(tl::unexpected(opened.error()));
  Pause(kTryLogAgain);
  return false;
}

void SharedLog::Publish() {
  while (AwaitModel() && !outbox_) OpenOutbox();
  std::vector<Submitted> submitted;
  bool may_publish = false;
  Due due{};
  while ((due = AwaitDue(&submitted, &may_publish)) == Due::kWork || due == Due::kTidying) {
    if (due == Due::kTidying) RemovePublished();
    TakeSubmitted(std::exchange(submitted, {}));
    if (may_publish && !PublishFront()) publish_again_ = Clock::now() + kTryLogAgain;
    TellOverdue(/*all=*/false);
  }
  if (due == Due::kNothing) return;
  TakeLast();
  TellOverdue(/*all=*/true);
  RemovePublished();
}

// After kNothing, who publishes ends: another thread may wait for that with mutex_ held.
SharedLog::Due SharedLog::AwaitDue(std::vector<Submitted>* submitted, bool* may_publish) {
  *may_publish = false;
  std::unique_lock lock(mutex_);
  const auto can_publish = [&] {
    return outbox_ && !outbox_->empty() && is_checked_ && Clock::now() >= publish_again_;
  };
  const auto is_due = [&] { return stop_ || !submitted_.empty() || can_publish(); };
  const bool has_work = !outbox_ || !outbox_->empty() || !waiting_.empty();
  // Somebody who waits may have to be told, or it is time to try again.
  const bool came = changed_.wait_for(lock, has_work ? kLookForWaiting : kPublisherIdle, is_due);
  if (stop_) return Due::kStop;
  if (!has_work && !came) {
    if (outbox_->has_published()) return Due::kTidying;
    is_publishing_ = false;
    return Due::kNothing;
  }
  *submitted = std::exchange(submitted_, {});
  *may_publish = can_publish();
  return Due::kWork;
}

// With mutex_ held, and unless stop_.
void SharedLog::PublishInAThread() {
  if (is_publishing_) return;
  if (publisher_.joinable()) publisher_.join();
  publisher_ = std::thread([this] { Publish(); });
  is_publishing_ = true;
}

// Those who came before the end are still kept, or refused if there is no outbox.
void SharedLog::TakeLast() {
  std::vector<Submitted> last;
  {
    const std::lock_guard lock(mutex_);
    last = std::exchange(submitted_, {});
  }
  if (outbox_) return TakeSubmitted(std::move(last));
  for (const Submitted& each : last) each.done(tl::unexpected(Error{kBusy, "the daemon is stopping"}));
}

// All that came at one time share one sync.
void SharedLog::TakeSubmitted(std::vector<Submitted> submitted) {
  std::vector<Submitted> kept;
  for (Submitted& each : submitted) {
    if (auto done = outbox_->Append(&each.operation); !done) {
      each.done(tl::unexpected(done.error()));
    } else {
      kept.push_back(std::move(each));
    }
  }
  if (kept.empty()) return;
  if (auto done = outbox_->Sync(); !done) {
    for (Submitted& each : kept) each.done(tl::unexpected(done.error()));
    return;
  }
  const std::lock_guard lock(mutex_);
  for (Submitted& each : kept) {
    waiting_[each.operation.number] = {std::move(each.done), Clock::now() + settings_.patience};
  }
  figures_.outbox = outbox_->size();
  figures_.outbox_bytes = outbox_->bytes();
}

// Whoever puts back a whole store, with an outbox, has one that gives numbers again that the log has. That is
// known once the model has all records that were there. False if it is to be asked again later.
bool SharedLog::CheckNumbers() {
  uint64_t last_before = 0;
  {
    const std::lock_guard lock(mutex_);
    if (are_numbers_checked_) return true;
    last_before = last_before_.value();  // as the log was checked
  }
  struct Known {
    uint64_t position = 0;
    uint64_t number = 0;
  };
  const auto known = std::make_shared<Known>();
  const auto asked = std::make_shared<std::promise<bool>>();
  hooks_.post({.run = [this, known, author = outbox_->author()](Model&) -> Result<void> {
                 *known = {follower_->position(), follower_->LastNumberOf(author)};
                 return {};
               },
               .done = [asked](const Result<void>& done) { asked->set_value(done.has_value()); }});
  if (!asked->get_future().get() || known->position < last_before) return false;
  if (known->number >= outbox_->first_appended()) {
    if (const auto done = outbox_->ContinueAs(Outbox::NewAuthor()); !done) {
      Say(&not_published_, done.error().message);
      return false;
    }
  }
  const std::lock_guard lock(mutex_);
  author_ = outbox_->author();
  are_numbers_checked_ = true;
  return true;
}

// One at a time: an author's operations are in the log in the order of their numbers, whatever fails.
// False if it is to be tried again later.
bool SharedLog::PublishFront() {
  if (!CheckNumbers()) return false;
  Result<void> done;
  if (!outbox_->empty()) {  // else all was from before the outbox was restored
    const auto record = outbox_->Front();
    const std::string name = fmt::format("{:016x}-{}", outbox_->author(), outbox_->FrontNumber());
    const auto published = record ? log_->Publish(name, *record) : tl::unexpected(record.error());
    done = published ? outbox_->PopFront() : tl::unexpected(published.error());
  }
  {
    const std::lock_guard lock(mutex_);
    figures_.outbox = outbox_->size();
    figures_.outbox_bytes = outbox_->bytes();
  }
  changed_.notify_all();
  Say(&not_published_, done ? "" : done.error().message);
  return done.has_value();
}

// So that what is forgotten later is not still there. What fails is done again a moment later, or by the next
// process.
void SharedLog::RemovePublished() {
  if (!outbox_ || !outbox_->has_published()) return;
  static_cast<void>(outbox_->RemovePublished());
  const std::lock_guard lock(mutex_);
  figures_.outbox_bytes = outbox_->bytes();
}

// Those whose operation is on disk here, but will not soon be applied.
void SharedLog::TellOverdue(bool all) {
  std::vector<Waiting> overdue;
  {
    const std::lock_guard lock(mutex_);
    const bool is_cut_off = !WhyNotFollowed().empty();
    for (auto it = waiting_.begin(); it != waiting_.end();) {
      const bool is_overdue = all || is_cut_off || Clock::now() >= it->second.until;
      if (is_overdue) overdue.push_back(std::move(it->second));
      it = is_overdue ? waiting_.erase(it) : std::next(it);
    }
  }
  for (Waiting& each : overdue) each.done(std::nullopt);
}

}  // namespace thresher::pipeline
