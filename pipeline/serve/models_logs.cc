// The logs that Models' models follow: what they say together, and what the log lacks when one is closed.
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/cluster/outbox.h"
#include "pipeline/serve/models_slot.h"
#include "pipeline/settings/model_name.h"

namespace thresher::pipeline {
namespace {

constexpr std::chrono::seconds kDeliverWithin{5};
constexpr std::chrono::seconds kDeliverAgain{5};

}  // namespace

LogToFollow Models::LogOf(const std::string& name) const {
  if (!shared_.logs) return {};
  const bool is_of_one = name == settings()->model;
  return {.log = shared_.logs(is_of_one ? "" : name), .on_change = shared_.on_change, .followed = followed_};
}

// Those of one model are shown as they are.
std::optional<LogFigures> Models::Log() {
  if (!shared_.logs) return std::nullopt;
  LogFigures all;
  if (are_many_) {
    const std::lock_guard lock(mutex_);
    all = of_closed_;
    all.stream = settings_->cluster.stream;
    for (const auto& [name, count] : undelivered_) all.outbox += slots_.contains(name) ? 0 : count;
  }
  EachService([&](const ModelService& service) {
    const LogFigures own = *service.Log();
    if (are_many_) {
      AddFigures(own, &all);
    } else {
      all = own;
    }
  });
  return all;
}

void Models::DescribeLog(const Whose& whose, std::function<void(const Result<LogDescription>&)> done) {
  const auto held = Take(whose);
  if (!held) return done(tl::unexpected(held.error()));
  held->service().DescribeLog(std::move(done));
}

// With mutex_ held.
void Models::NoteClosed(const std::string& name, const LogFigures& log) {
  of_closed_.applied += log.applied;
  of_closed_.duplicates += log.duplicates;
  of_closed_.foreign += log.foreign;
  if (log.outbox > 0) {
    undelivered_[name] = log.outbox;
  } else {
    undelivered_.erase(name);
  }
}

void Models::AskLogOf(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (!asker_ || is_stopped_) return;
    to_ask_.insert(name);
  }
  asker_->Wake();
}

// In the asker's thread, so that no message waits for it; in turn, so that all are asked.
void Models::AskNext() {
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    if (to_ask_.empty()) return;
    auto next = to_ask_.upper_bound(asked_);
    if (next == to_ask_.end()) next = to_ask_.begin();
    name = asked_ = *next;
    to_ask_.erase(next);
  }
  if (const auto held = Take({.model = name})) held->service().AskLog();
}

// What an earlier daemon left. What is wrong with a file is said when its model is opened.
std::map<std::string, size_t> Models::FindUndelivered() const {
  std::map<std::string, size_t> found;
  std::error_code failed;
  std::filesystem::directory_iterator entry(settings()->store_path, failed);
  for (const std::filesystem::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    const std::string file = entry->path().filename();
    if (!file.ends_with(kOutboxEnd)) continue;
    const std::string name = file.substr(0, file.size() - kOutboxEnd.size());
    if (!IsModelName(name)) continue;
    const auto left = Outbox::LookInto(entry->path());
    if (left && *left && (*left)->waiting > 0) found[name] = (*left)->waiting;
  }
  return found;
}

// In a thread of its own: opens one after the other of those that were closed, or left by an earlier daemon,
// before the log had all that they were taught.
void Models::Deliver() {
  std::map<std::string, size_t> found = FindUndelivered();
  {
    const std::lock_guard lock(mutex_);
    undelivered_.merge(found);
  }
  std::string last;
  bool is_delivered = true;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      const auto pause = is_delivered && !undelivered_.empty() ? std::chrono::seconds(0) : kDeliverAgain;
      if (changed_.wait_for(lock, pause, [this] { return is_stopped_; })) return;
    }
    const auto name = NextToDeliver(last);
    if (!name) continue;
    last = *name;
    const auto held = Take({.model = *name});
    is_delivered = held && held->service().Deliver(kDeliverWithin);
    if (!is_delivered) continue;
    const std::lock_guard lock(mutex_);
    undelivered_.erase(*name);
  }
}

// In turn, so that one that cannot be opened does not keep others from it.
std::optional<std::string> Models::NextToDeliver(const std::string& after) {
  const std::lock_guard lock(mutex_);
  if (undelivered_.empty()) return std::nullopt;
  const auto next = undelivered_.upper_bound(after);
  return next == undelivered_.end() ? undelivered_.begin()->first : next->first;
}

}  // namespace thresher::pipeline
