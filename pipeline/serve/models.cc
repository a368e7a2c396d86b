#include "pipeline/serve/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/opening/opening.h"
#include "pipeline/serve/model_name.h"
#include "pipeline/serve/models_slot.h"
#include "storage/database.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// Each takes some 20 kB besides its file, and two of the mappings that a process may have.
constexpr size_t kMostImages = 10000;
// To count thousands of folders takes milliseconds, for which all models wait.
constexpr std::chrono::seconds kCountAgain{1};

Settings SettingsOfModel(const Settings& settings, const std::string& name) {
  Settings own = settings;
  own.model = name;
  // The log of the model that a daemon with one has is called as the stream.
  if (name != settings.model) own.cluster.stream += "/" + name;
  return own;
}

size_t CountFolders(const fs::path& store) {
  std::error_code failed;
  size_t count = 0;
  fs::directory_iterator entry(store, failed);
  for (const fs::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    std::error_code vanished;
    if (entry->is_directory(vanished)) ++count;
  }
  return count;
}

auto Seconds(double seconds) { return std::chrono::duration<double>(seconds); }

}  // namespace

Models::Models(const Settings& settings, Hooks hooks, History* history, LogsToFollow shared)
    : are_many_(settings.serve.models != "one"),
      hooks_(std::move(hooks)),
      history_(are_many_ ? nullptr : history),
      shared_(std::move(shared)),
      settings_(std::make_shared<Settings>(settings)) {
  if (are_many_) {
    if (!shared_.logs) return;
    deliverer_ = std::thread([this] { Deliver(); });
    asker_ = std::make_unique<WorkingThread>(
        mutex_, [this] { return !to_ask_.empty(); }, [this] { AskNext(); });
    return;
  }
  std::unique_lock lock(mutex_);
  Slot* const slot = *FindOrMake(settings.model, IfMissing::kMake, &lock);
  slot->is_open = true;
  open_.splice(open_.begin(), images_, slot->place);
  ++opened_;
  lock.unlock();
  Begin(slot);
}

Models::~Models() { static_cast<void>(Stop()); }

std::shared_ptr<const Settings> Models::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

Result<std::string> Models::ModelOf(const Whose& whose) const { return ModelNameOf(whose, *settings()); }

Result<Models::Held> Models::Take(const Whose& whose, IfMissing if_missing) {
  const auto settings = this->settings();
  const auto name = ModelNameOf(whose, *settings);
  if (!name) return tl::unexpected(name.error());
  auto user = UserInModel(whose, *name, settings->serve.models);
  if (!user) return tl::unexpected(user.error());
  std::unique_lock lock(mutex_);
  const auto found = FindOrMake(*name, if_missing, &lock);
  if (!found) return tl::unexpected(found.error());
  Slot* const slot = *found;
  ++slot->asked;
  std::list<Slot*>& among = slot->is_open ? open_ : images_;
  among.splice(among.begin(), among, slot->place);
  lock.unlock();
  Begin(slot);
  return Held(*this, slot, *std::move(user), whose.insists);
}

Result<Models::Slot*> Models::FindOrMake(const std::string& name, IfMissing if_missing,
                                         std::unique_lock<std::mutex>* lock) {
  const auto is_free = [&] { return !closing_.contains(name) || TakeBack(name); };
  if (!is_free() && !changed_.wait_for(*lock, Seconds(settings_->serve.open_seconds), is_free))
    return tl::unexpected(Error{kBusy, "the model is being closed; try again later"});
  if (const auto found = slots_.find(name); found != slots_.end()) {
    Slot* const slot = found->second.get();
    // A message that was refused leaves a slot of a model that was not made.
    const bool may_be_missing = !slot->is_open && !shared_.logs && if_missing == IfMissing::kRefuse;
    auto may = may_be_missing ? CheckMayServe(slot->folder, if_missing) : Result<void>();
    return std::move(may).map([&] { return slot; });
  }
  if (is_stopped_) return tl::unexpected(Error{kBusy, "the daemon is stopping"});
  auto slot = std::make_unique<Slot>();
  slot->name = name;
  slot->folder = ModelDirectory(SettingsOfModel(*settings_, name)).string();
  if (auto may = CheckMayServe(slot->folder, if_missing); !may) return tl::unexpected(may.error());
  slot->place = images_.insert(images_.begin(), slot.get());
  return slots_.emplace(name, std::move(slot)).first->second.get();
}

// From those whose closing has not begun.
bool Models::TakeBack(const std::string& name) {
  const auto found = std::ranges::find_if(to_close_, [&](const auto& slot) { return slot->name == name; });
  if (found == to_close_.end()) return false;
  Slot* const slot = found->get();
  std::list<Slot*>& among = slot->is_open ? open_ : images_;
  slot->place = among.insert(among.begin(), slot);
  slots_.emplace(name, std::move(*found));
  to_close_.erase(found);
  closing_.erase(name);
  return true;
}

// A link could lead anywhere, and whoever names a model need not be who owns the store.
Result<void> Models::CheckMayServe(const std::string& folder, IfMissing if_missing) {
  if (!are_many_) return {};
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(folder, failed)))
    return tl::unexpected(
        Error{kConfig, fmt::format("{} is a link: expected the folder of a model", folder)});
  const auto exists = storage::Database::CheckExists(folder);
  // One that cannot be read is none that is made now; who opens it says why.
  if (exists || exists.error().kind != storage::ErrorKind::kMissing) return {};
  // What a model that follows a log was taught, the log may have.
  if (if_missing == IfMissing::kRefuse && !shared_.logs) return CheckModelExists(folder);
  const auto now = std::chrono::steady_clock::now();
  if (now >= count_again_) {
    folders_ = CountFolders(settings_->store_path);
    count_again_ = now + kCountAgain;
  }
  if (folders_ < settings_->serve.most_models) {
    ++folders_;  // it is made now
    return {};
  }
  return tl::unexpected(Error{kBusy, fmt::format("{}: the store has {} models, and no more are made "
                                                 "(serve.most_models)",
                                                 folder, settings_->serve.most_models)});
}

// Without mutex_: to read an image takes a while.
void Models::Begin(Slot* slot) {
  const std::lock_guard lock(slot->making_mutex);
  if (slot->service) return;
  ModelService::Parts parts{.history = history_, .shared = LogOf(slot->name), .beside = beside_};
  if (are_many_) parts.may_open = [this, slot] { return MayOpen(slot); };
  std::shared_ptr<const SenderLists> lists;
  std::shared_ptr<const Settings> settings;
  {
    const std::lock_guard own(mutex_);
    lists = lists_;
    settings = settings_;
  }
  slot->service = std::make_unique<ModelService>(
      SettingsOfModel(*settings, slot->name),
      [this, folder = slot->folder](const Result<void>& ready) { hooks_.on_change(folder, ready); },
      std::move(parts));
  slot->service->SetLists(std::move(lists));
}

// While models are being closed there are more open files than the budget has, but not many more.
Result<void> Models::MayOpen(Slot* slot) {
  std::unique_lock lock(mutex_);
  if (slot->is_open) return {};  // it was allowed before, and then its thread could not be started
  const size_t most = 2 * settings_->serve.open_models + 2;
  const auto is_room = [&] { return is_stopped_ || open_.size() + closing_.size() < most; };
  const bool has_room = changed_.wait_for(lock, Seconds(settings_->serve.open_seconds), is_room);
  if (is_stopped_) return tl::unexpected(Error{kBusy, "the daemon is stopping"});
  if (!has_room) return tl::unexpected(Error{kBusy, "too many models are being opened; try again later"});
  slot->is_open = true;
  open_.splice(open_.begin(), images_, slot->place);
  ++opened_;
  return {};
}

void Models::Release(std::span<Slot* const> slots) {
  std::unique_lock lock(mutex_);
  for (Slot* const slot : slots) --slot->asked;
  CloseSome();
  const bool is_work = !to_close_.empty();
  lock.unlock();
  if (is_work) closer_.Wake();
}

// With mutex_ held.
void Models::CloseSome() {
  if (!are_many_ || is_stopped_) return;
  const ServeSettings& serve = settings_->serve;
  while (open_.size() > serve.open_models && CloseUnused(&open_)) {
  }
  while (images_.size() > kMostImages && CloseUnused(&images_)) {
  }
  // What a model takes is free when it has been closed.
  if (closing_.empty() && open_.size() > 1 && beside_->memory_bytes > serve.models_bytes) CloseUnused(&open_);
}

// The one not used for longest; false if all are being asked.
bool Models::CloseUnused(std::list<Slot*>* among) {
  const auto found =
      std::find_if(among->rbegin(), among->rend(), [](Slot* slot) { return slot->asked == 0; });
  if (found == among->rend()) return false;
  Slot* const slot = *found;
  among->erase(slot->place);
  closing_.insert(slot->name);
  to_close_.push_back(std::move(slots_.extract(slot->name).mapped()));
  return true;
}

// In the closer's thread.
void Models::CloseOldest() {
  std::unique_lock lock(mutex_);
  if (to_close_.empty()) return;  // it was taken back
  std::unique_ptr<Slot> slot = std::move(to_close_.front());
  to_close_.pop_front();
  lock.unlock();
  if (slot->service) slot->service->Settle();
  const Result<void> closed = slot->service ? slot->service->Stop() : Result<void>();
  const auto log = slot->service ? slot->service->Log() : std::nullopt;
  if (slot->is_open) hooks_.on_close(slot->folder, closed);
  slot->service.reset();
  lock.lock();
  closing_.erase(slot->name);
  if (slot->is_open) ++closed_;
  if (log) NoteClosed(slot->name, *log);
  CloseSome();
  lock.unlock();
  changed_.notify_all();
}

bool Models::AwaitFirstOpening(std::chrono::milliseconds patience) {
  return are_many_ || slots_.begin()->second->service->AwaitFirstOpening(patience);
}

void Models::Reload(const Settings& settings) {
  std::shared_ptr<const Settings> next;
  {
    const std::lock_guard lock(mutex_);
    next = settings_ = std::make_shared<Settings>(WithWhatStays(settings, *settings_));
  }
  EachService([&](ModelService& service) { service.Reload(*next); });
}

void Models::SetLists(SenderLists lists) {
  const auto next = std::make_shared<const SenderLists>(std::move(lists));
  {
    const std::lock_guard lock(mutex_);
    lists_ = next;
  }
  EachService([&](ModelService& service) { service.SetLists(next); });
}

Result<void> Models::Ready() const {
  if (auto exists = CheckStoreExists(*settings()); are_many_ || !exists) return exists;
  const Slot& only = *slots_.begin()->second;
  const auto ready = only.service->Ready();
  return ready ? CheckModelExists(only.folder) : ready;
}

size_t Models::waiting() {
  size_t sum = 0;
  EachService([&](const ModelService& service) { sum += service.waiting(); });
  return sum;
}

ModelFigures Models::figures() const {
  const std::lock_guard lock(mutex_);
  return {.open = open_.size(),
          .images = images_.size(),
          .closing = closing_.size(),
          .memory_bytes = beside_->memory_bytes,
          .opened = opened_,
          .closed = closed_};
}

// All at the same time, but for what the disk puts one after the other.
Result<void> Models::Stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    to_ask_.clear();
  }
  changed_.notify_all();
  Result<void> stopped;
  EachService([](ModelService& service) { service.BeginStop(); });
  EachService([&](ModelService& service) {
    if (auto done = service.Stop(); !done && stopped) stopped = done;
  });
  if (deliverer_.joinable()) deliverer_.join();
  if (asker_) asker_->Finish();
  closer_.Finish();
  beside_->looks.Finish();
  beside_->spool_writer.Finish();
  return stopped;
}

}  // namespace thresher::pipeline
