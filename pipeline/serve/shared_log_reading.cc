// The thread of a shared log that reads: it applies the records.
#include <fmt/format.h>

#include <future>
#include <memory>
#include <utility>

#include "pipeline/cluster/membership.h"
#include "pipeline/serve/shared_log.h"

namespace thresher::pipeline {
namespace {

constexpr std::chrono::milliseconds kReadFor{1000};
constexpr std::chrono::milliseconds kFirstReadFor{20};  // nothing is published before
constexpr size_t kRecordsAtOnce = 64;

// Why the record after the last one that is applied is not; empty if the fate of a record says nothing of
// that.
std::string WhyStopped(Fate fate, const LogFigures& figures) {
  if (fate == Fate::kNewer) {
    return fmt::format(
        "record {} of the log '{}' was written by a newer thresher; this node goes on when it "
        "has one, too",
        figures.position + 1, figures.stream);
  }
  if (fate != Fate::kGap) return {};
  return fmt::format("record {} of the log '{}' is missing", figures.position + 1, figures.stream);
}

}  // namespace

bool SharedLog::IsStopping() const {
  const std::lock_guard lock(mutex_);
  return stop_;
}

void SharedLog::ReadLog() {
  if (!AwaitModel()) return;
  while (true) {
    const bool is_well = ReadSome();
    if (!is_well) Pause(kTryLogAgain);
    if (IsStopping()) return;
  }
}

// False if it is to be tried again later.
bool SharedLog::ReadSome() {
  SharedIdentity identity;
  AppliedRecord at;
  bool is_checked = false;
  uint64_t known_last = 0;
  {
    const std::lock_guard lock(mutex_);
    identity = *identity_;
    at = at_;
    is_checked = is_checked_;
    known_last = figures_.last;
  }
  const uint64_t position = at.record;
  const auto fail_at = [this](std::string* place, const Error& error) {
    Say(place, error.message);
    const std::lock_guard lock(mutex_);
    is_checked_ = false;
    return false;
  };
  const auto fail = [&](const Error& error) {
    return fail_at(error.exit_code == kBusy ? &not_read_ : &refused_, error);
  };
  if (!is_checked) {
    if (const auto checked = CheckLog(identity, at, *log_); !checked) return fail(checked.error());
    if (const auto noted = NoteLast(); !noted) return fail(noted.error());
  }
  MeetNodes();
  if (Figures().differs_from_most) {
    TakeSnapshot(/*least=*/1, /*differs=*/true);
    return false;
  }
  // What is there comes at once, but the servers may be far away.
  const bool is_there = known_last > position;
  auto batch = log_->Read(position, kRecordsAtOnce, is_checked || is_there ? kReadFor : kFirstReadFor);
  if (IsStopping()) return false;
  if (!batch) return fail(batch.error());
  if (const auto follows = CheckFollowsOn(*batch, position, identity.stream); !follows) {
    const bool is_behind = IsBehind(*batch, position);
    fail_at(is_behind ? &not_read_ : &refused_, follows.error());
    if (is_behind) TakeSnapshot(FirstOf(*batch) - 1, /*differs=*/false);
    return false;
  }
  // The servers may have lost what reads, as by a restart: the log may be another one by now.
  const bool came_nothing = batch->records.empty() && batch->last > position;
  {
    const std::lock_guard lock(mutex_);
    is_checked_ = !came_nothing && !std::exchange(check_again_, false);
    figures_.last = batch->last;
  }
  for (std::string* const place : {&refused_, &not_read_, &not_renewed_}) Say(place, "");
  wants_ = 0;
  changed_.notify_all();
  if (batch->records.empty()) return !(came_nothing && is_there);
  return ApplyAll(std::make_shared<std::vector<LogRecord>>(std::move(batch->records)));
}

// What it has before this process publishes anything.
Result<void> SharedLog::NoteLast() {
  {
    const std::lock_guard lock(mutex_);
    if (last_before_) return {};
  }
  const auto last = log_->Last();
  if (!last) return tl::unexpected(last.error());
  const std::lock_guard lock(mutex_);
  last_before_ = *last;
  return {};
}

// False if the model cannot take them now.
bool SharedLog::ApplyAll(const std::shared_ptr<std::vector<LogRecord>>& records) {
  const auto outcomes = std::make_shared<std::vector<Follower::Outcome>>();
  const auto finished = std::make_shared<std::promise<bool>>();
  hooks_.post({.run = [this, records, outcomes](Model& model) -> Result<void> {
                 for (const LogRecord& record : *records) {
                   auto outcome = follower_->Apply(model, record);
                   if (!outcome) return tl::unexpected(outcome.error());
                   outcomes->push_back(*std::move(outcome));
                 }
                 return follower_->Finish(model);
               },
               .done =
                   [this, outcomes, finished](const Result<void>& acknowledged) {
                     finished->set_value(acknowledged && OnApplied(*outcomes));
                   }});
  return finished->get_future().get();
}

// In the model's thread, once it is on disk. False if it went no further than some record.
bool SharedLog::OnApplied(const std::vector<Follower::Outcome>& outcomes) {
  std::vector<Told> told;
  std::string trouble;
  {
    const std::lock_guard lock(mutex_);
    NotePosition();
    for (const Follower::Outcome& outcome : outcomes) {
      figures_.applied += outcome.fate == Fate::kApplied ? 1 : 0;
      figures_.duplicates += outcome.fate == Fate::kDuplicate ? 1 : 0;
      figures_.foreign += outcome.fate == Fate::kForeign ? 1 : 0;
      if (trouble.empty()) trouble = WhyStopped(outcome.fate, figures_);
      // Before, nothing can be what this process published.
      const bool is_own = are_numbers_checked_ && outcome.author == author_;
      const auto waits = is_own ? waiting_.find(outcome.number) : waiting_.end();
      if (outcome.fate != Fate::kApplied || waits == waiting_.end()) continue;
      told.push_back({std::move(waits->second.done), outcome});
      waiting_.erase(waits);
    }
  }
  Say(&not_applied_, trouble);
  changed_.notify_all();
  for (const Told& each : told) each.done(each.outcome);
  return trouble.empty();
}

}  // namespace thresher::pipeline
