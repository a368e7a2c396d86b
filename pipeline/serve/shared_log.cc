#include "pipeline/serve/shared_log.h"

#include <fmt/format.h>

#include <utility>

namespace thresher::pipeline {
namespace {

constexpr std::chrono::milliseconds kLookForWaiting{100};
// A thread that has nothing to publish for so long ends.
constexpr std::chrono::seconds kPublisherIdle{1};

}  // namespace

SharedLog::SharedLog(std::unique_ptr<OrderedLog> log, ClusterSettings settings, std::filesystem::path outbox,
                     Hooks hooks)
    : log_(std::move(log)),
      settings_(std::move(settings)),
      outbox_path_(std::move(outbox)),
      hooks_(std::move(hooks)),
      taker_(
          [this] {
            const std::lock_guard lock(mutex_);
            return !stop_;
          },
          settings_.snapshot_again),
      maker_(*log_) {}

SharedLog::~SharedLog() {
  Stop();
  if (is_begun_) --*hooks_.followed;
}

void SharedLog::Begin() {
  is_begun_ = true;
  ++*hooks_.followed;
  {
    const std::lock_guard lock(mutex_);
    PublishInAThread();
  }
  reader_ = std::thread([this] { ReadLog(); });
}

void SharedLog::Settle() {
  std::unique_lock lock(mutex_);
  const Clock::time_point until = Clock::now() + settings_.patience;
  const auto is_settled = [this] {
    return stop_ || (unanswered_ == 0 && (figures_.outbox == 0 || !FiguresNow().trouble.empty()));
  };
  while (!is_settled() && Clock::now() < until) changed_.wait_for(lock, kLookForWaiting);
}

bool SharedLog::AwaitPublished(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto is_empty = [this] { return author_ != 0 && figures_.outbox == 0 && submitted_.empty(); };
  changed_.wait_for(lock, patience, [&] { return stop_ || is_empty(); });
  return is_empty();
}

void SharedLog::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  log_->EndReading();
  if (publisher_.joinable()) publisher_.join();
  if (reader_.joinable()) reader_.join();
  maker_.Stop();
}

Result<std::unique_ptr<Model>> SharedLog::Open(const std::filesystem::path& dir, const Settings& settings) {
  if (auto replaced = ReplaceModel(dir); !replaced) return tl::unexpected(replaced.error());
  auto member = OpenMember(dir, settings, settings_.stream, *log_, taker_);
  if (!member) {
    AskToBegin(member.error());
    return tl::unexpected(member.error());
  }
  if (!follower_) RemoveLeftovers(dir);
  follower_.emplace(member->identity.Digest(), settings_.digest_every);
  const std::lock_guard lock(mutex_);
  figures_.identity = member->identity.Name();
  figures_.stream = settings_.stream;
  identity_ = std::move(member->identity);
  dir_ = dir;
  model_settings_ = settings;
  return std::move(member->model);
}

Result<void> SharedLog::OnOpen(const Model& model) {
  if (auto done = follower_->Resume(model); !done) return done;
  {
    const std::lock_guard lock(mutex_);
    figures_.position = follower_->position();
    digests_ = follower_->digests();
    ++openings_;
  }
  changed_.notify_all();
  return {};
}

void SharedLog::Submit(Operation operation, OnDone done) {
  Result<void> refused;
  operation.identity = 0;
  constexpr size_t kRoom = 4096;  // for what is not features
  if (operation.features.size() + kRoom > OrderedLog::kLongestRecord) {
    refused = tl::unexpected(
        Error{kData, fmt::format("the log would hold {} bytes of this message, and a record of it takes {}",
                                 operation.features.size(), OrderedLog::kLongestRecord - kRoom)});
  }
  {
    const std::lock_guard lock(mutex_);
    if (stop_) refused = tl::unexpected(Error{kBusy, "the daemon is stopping"});
    if (!refused_.empty()) refused = tl::unexpected(Error{kConfig, refused_});
    if (refused) {
      PublishInAThread();
      operation.identity = identity_->Digest();
      ++unanswered_;
      submitted_.push_back({std::move(operation), [this, done = std::move(done)](const auto& outcome) {
                              done(outcome);
                              const std::lock_guard told(mutex_);
                              --unanswered_;
                              changed_.notify_all();
                            }});
      changed_.notify_all();
      return;
    }
  }
  done(tl::unexpected(refused.error()));
}

LogFigures SharedLog::FiguresNow() const {
  LogFigures figures = figures_;
  for (const std::string* const why :
       {&refused_, &differs_, &not_read_, &not_applied_, &not_published_, &not_met_}) {
    if (figures.trouble.empty()) figures.trouble = *why;
  }
  if (!figures.trouble.empty() && !not_renewed_.empty()) figures.trouble += "; " + not_renewed_;
  figures.snapshot_trouble = maker_.Trouble();
  figures.differs_from_most = !differs_.empty();
  figures.differs = differs_.empty() ? unequal_ : differs_;
  if (!digests_.empty()) figures.digest_record = digests_.back().record;
  return figures;
}

LogFigures SharedLog::Figures() const {
  const std::lock_guard lock(mutex_);
  return FiguresNow();
}

SeenNodes SharedLog::Nodes() const {
  const std::lock_guard lock(mutex_);
  const auto ago = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - nodes_seen_);
  return {nodes_, ago.count()};
}

void SharedLog::Say(std::string* place, const std::string& trouble) {
  std::unique_lock lock(mutex_);
  const LogFigures before = FiguresNow();
  *place = trouble;
  const LogFigures now = FiguresNow();
  lock.unlock();
  if (now.trouble != before.trouble || now.differs != before.differs) hooks_.on_change(now);
}

void SharedLog::Pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return stop_; });
}

// ---- the thread that publishes

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
  while ((due = AwaitDue(&submitted, &may_publish)) == Due::kWork) {
    TakeSubmitted(std::exchange(submitted, {}));
    if (may_publish && !PublishFront()) publish_again_ = Clock::now() + kTryLogAgain;
    TellOverdue(/*all=*/false);
  }
  if (due == Due::kNothing) return;
  TakeLast();
  TellOverdue(/*all=*/true);
}

// After kNothing, who publishes ends: another thread may wait for that with mutex_ held.
SharedLog::Due SharedLog::AwaitDue(std::vector<Submitted>* submitted, bool* may_publish) {
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

// One at a time: an author's operations are in the log in the order of their numbers, whatever fails.
// False if it is to be tried again later.
bool SharedLog::PublishFront() {
  const auto record = outbox_->Front();
  const std::string name = fmt::format("{:016x}-{}", outbox_->author(), outbox_->FrontNumber());
  const auto published = record ? log_->Publish(name, *record) : tl::unexpected(record.error());
  const Result<void> done = published ? outbox_->PopFront() : tl::unexpected(published.error());
  {
    const std::lock_guard lock(mutex_);
    figures_.outbox = outbox_->size();
    figures_.outbox_bytes = outbox_->bytes();
  }
  changed_.notify_all();
  Say(&not_published_, done ? "" : done.error().message);
  return done.has_value();
}

// Those whose operation is on disk here, but will not soon be applied.
void SharedLog::TellOverdue(bool all) {
  std::vector<Waiting> overdue;
  {
    const std::lock_guard lock(mutex_);
    const bool is_cut_off = !FiguresNow().trouble.empty();
    for (auto it = waiting_.begin(); it != waiting_.end();) {
      const bool is_overdue = all || is_cut_off || Clock::now() >= it->second.until;
      if (is_overdue) overdue.push_back(std::move(it->second));
      it = is_overdue ? waiting_.erase(it) : std::next(it);
    }
  }
  for (Waiting& each : overdue) each.done(std::nullopt);
}

}  // namespace thresher::pipeline
