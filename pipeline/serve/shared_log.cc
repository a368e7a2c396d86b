#include "pipeline/serve/shared_log.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "pipeline/cluster/membership.h"

namespace thresher::pipeline {

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
    return stop_ || (unanswered_ == 0 && (figures_.outbox == 0 || !WhyNotFollowed().empty()));
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
    NotePosition();
    ++openings_;
  }
  changed_.notify_all();
  return {};
}

// In the model's thread, with mutex_ held.
void SharedLog::NotePosition() {
  at_ = follower_->at();
  figures_.position = at_.record;
  digests_ = follower_->digests();
}

void SharedLog::Submit(Operation operation, OnDone done) {
  Result<void> may;
  constexpr size_t kRoom = 4096;  // for what is not features
  if (operation.features.size() + kRoom > OrderedLog::kLongestRecord) {
    may = tl::unexpected(
        Error{kData, fmt::format("the log would hold {} bytes of this message, and a record of it takes {}",
                                 operation.features.size(), OrderedLog::kLongestRecord - kRoom)});
  }
  {
    const std::lock_guard lock(mutex_);
    if (stop_) may = tl::unexpected(Error{kBusy, "the daemon is stopping"});
    if (!refused_.empty()) may = tl::unexpected(Error{kConfig, refused_});
    if (may) {
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
  done(tl::unexpected(may.error()));
}

std::string SharedLog::WhyNotFollowed() const {
  for (const std::string* const why : {&refused_, &differs_, &not_read_, &not_applied_, &not_published_}) {
    if (!why->empty()) return *why;
  }
  return "";
}

LogFigures SharedLog::FiguresNow() const {
  LogFigures figures = figures_;
  figures.trouble = WhyNotFollowed();
  if (figures.trouble.empty()) figures.trouble = not_met_;
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

}  // namespace thresher::pipeline
