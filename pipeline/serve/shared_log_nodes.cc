// How the daemon of a shared log meets the other nodes, and what it gives them and takes from them:
// snapshots. All but AskToBegin, ReplaceModel and RemoveLeftovers is in the thread that reads.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "pipeline/cluster/snapshot_turn.h"
#include "pipeline/model/store_error.h"
#include "pipeline/serve/shared_log.h"
#include "pipeline/version.h"
#include "storage/replace.h"

namespace thresher::pipeline {
namespace {

constexpr std::chrono::seconds kAskAgainForOpening{1};

// Of this machine; empty if it has none that fits.
std::string HostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

SnapshotBounds BoundsOf(const ClusterSettings& settings) {
  constexpr int64_t kDayUs = int64_t{24} * 3600 * 1'000'000;
  return {.records = settings.snapshot_every,
          .bytes = settings.snapshot_bytes,
          .age_us = static_cast<int64_t>(settings.snapshot_days) * kDayUs};
}

uint64_t RenewedOf(uint64_t id, const std::vector<NodeEntry>& nodes) {
  const auto own = std::find_if(nodes.begin(), nodes.end(), [&](const auto& each) { return each.id == id; });
  return own == nodes.end() ? 0 : own->renewed;
}

}  // namespace

NodeEntry SharedLog::OwnEntry() const {
  const std::lock_guard lock(mutex_);
  const LogFigures now = FiguresNow();
  return {.id = author_,
          .name = HostName(),
          .version = kVersion,
          .state = now.trouble.empty() ? NodeState::kFollowing : NodeState::kNotFollowed,
          .position = now.position,
          .last = now.last,
          .outbox = now.outbox,
          .wants = wants_,
          .renewed = renewed_.value_or(0),
          .trouble = now.trouble,
          .digests = digests_};
}

Result<void> SharedLog::PutOwn(const NodeEntry& own) {
  auto put = log_->PutEntry(fmt::format("{:016x}", own.id), TextOf(own));
  Say(&not_met_, put ? "" : put.error().message);
  return put;
}

// Says what this node is, and compares its model with those of the others: at intervals, and at once if there
// is a new digest.
void SharedLog::MeetNodes() {
  NodeEntry own = OwnEntry();
  const uint64_t digest_record = own.digests.empty() ? 0 : own.digests.back().record;
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - met_);
  if (own.id == 0 || !MeetingIsDue(since, met_nodes_ * *hooks_.followed, digest_record != met_record_))
    return;
  met_ = Clock::now();
  met_record_ = digest_record;
  auto nodes = ReadNodes(*log_);
  if (!nodes) return Say(&not_met_, nodes.error().message);
  met_nodes_ = nodes->size();
  if (!renewed_) renewed_ = own.renewed = RenewedOf(own.id, *nodes);
  const Comparison compared = CompareWithNodes(own, *nodes);
  if (own.renewed != 0 && HasProvenItself(own, compared)) renewed_ = own.renewed = 0;
  const bool differs = compared.state == NodeState::kDiffers;
  const std::string why =
      own.renewed == 0
          ? compared.why
          : fmt::format("{}, again, though it was made from the snapshot after record {} (docs/cluster.md)",
                        compared.why, own.renewed);
  Say(&unequal_, compared.state == NodeState::kUnequal ? compared.why : "");
  Say(&differs_, differs ? why : "");
  if (compared.state != NodeState::kFollowing) {
    own.state = compared.state;
    own.trouble = why;
  }
  if (!PutOwn(own)) return;
  MakeSnapshot(own, *nodes, compared);
  Remember(*std::move(nodes), std::move(own));
}

void SharedLog::Remember(std::vector<NodeEntry> nodes, NodeEntry own) {
  own.seen_us = NewestOf(nodes);
  const auto old =
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& each) { return each.id == own.id; });
  if (old == nodes.end()) {
    nodes.push_back(std::move(own));
  } else {
    *old = std::move(own);
  }
  const std::lock_guard lock(mutex_);
  nodes_ = std::move(nodes);
  nodes_seen_ = Clock::now();
}

// ---- snapshots for others

// Does the next step of it, if it is this node's turn.
void SharedLog::MakeSnapshot(const NodeEntry& own, const std::vector<NodeEntry>& nodes,
                             const Comparison& compared) {
  const auto newest = ReadSnapshotNote(*log_);
  if (!newest) return Say(&not_met_, newest.error().message);
  if (!*newest) {
    // What was agreed upon is kept beside the note: both may have been lost.
    const auto agreed = log_->Agreed();
    if (!agreed) return Say(&not_met_, agreed.error().message);
    check_again_ = !*agreed;
  }
  bool begins_taught = false;
  {
    const std::lock_guard lock(mutex_);
    figures_.snapshot = *newest ? (*newest)->record : 0;
    begins_taught = !identity_->base.empty();
  }
  if (maker_.is_sending()) return;
  if (*newest) maker_.Meet(**newest);
  if (const auto record = maker_.copied()) {
    const CopyStep step = StepOfCopy(*record, {own, nodes, *newest}, compared, settings_.digest_every);
    if (step == CopyStep::kSend) maker_.Send(*newest);
    if (step == CopyStep::kDiscard) maker_.Discard();
    return;
  }
  if (!maker_.Trouble().empty() && Clock::now() < copied_ + settings_.snapshot_again) return;
  const SnapshotMoment now{own, nodes, *newest};
  if (settings_.snapshot_every == 0 || !MayMakeSnapshot(now)) return;
  const uint64_t last = *newest ? (*newest)->record : 0;
  const auto rest = own.position > last ? log_->After(last) : OrderedLog::Rest();
  if (!rest) return Say(&not_met_, rest.error().message);
  if (SnapshotIsDue(now, BoundsOf(settings_), *rest, begins_taught)) CopyModel(own.id);
}

void SharedLog::CopyModel(uint64_t maker) {
  copied_ = Clock::now();
  const auto finished = std::make_shared<std::promise<void>>();
  hooks_.post({.run = [this, maker](Model& model) -> Result<void> {
                 return maker_.Copy(model, *follower_, dir_, identity_->Digest(), maker);
               },
               .done = [finished](const Result<void>&) { finished->set_value(); }});
  finished->get_future().wait();
}

// ---- a snapshot for this node

// A node that cannot begin without one has no outbox and no entry yet: it says what it needs in one of the
// number that it will have. In the model's thread.
void SharedLog::AskToBegin(const Error& why) {
  const uint64_t wanted = taker_.wanted();
  {
    const std::lock_guard lock(mutex_);
    if (wanted == 0 || identity_) return;
  }
  // An outbox that was left has its own number, which no other may have: what a new one had would be taken
  // for what the log has already.
  const auto left = Outbox::LookInto(outbox_path_);
  const bool has_number = left && *left;
  if (!has_number && !newcomer_) newcomer_ = Outbox::NewAuthor();
  const NodeEntry own{.id = has_number ? (*left)->author : *newcomer_,
                      .name = HostName(),
                      .version = kVersion,
                      .state = NodeState::kNotFollowed,
                      .wants = wanted,
                      .trouble = why.message};
  // What fails is done again with the next attempt to open the model.
  static_cast<void>(log_->PutEntry(fmt::format("{:016x}", own.id), TextOf(own)));
}

// Puts the newest snapshot in the place of the model, if it was made after record `least` or a later one. One
// of this node's own making is none for it if it differs, and it takes one once only.
void SharedLog::TakeSnapshot(uint64_t least, bool differs) {
  if (differs && renewed_.value_or(0) != 0) return;
  const auto taken = FetchSnapshotFor(least, differs);
  if (!taken) return Say(&not_renewed_, taken.error().message);
  PutInPlace(*taken);
}

Result<SnapshotNote> SharedLog::FetchSnapshotFor(uint64_t least, bool differs) {
  const auto note = ReadSnapshotNote(*log_);
  if (!note) return tl::unexpected(note.error());
  const SnapshotNeed need{OwnEntry().id, least, differs};
  if (!Helps(*note, need)) {
    wants_ = WantedAfter(*note, need);
    return tl::unexpected(Error{
        kBusy,
        "there is no snapshot for it yet: another node makes one, unless cluster.snapshot_every is 0 there"});
  }
  SharedIdentity identity;
  Settings settings;
  std::filesystem::path incoming;
  {
    const std::lock_guard lock(mutex_);
    identity = *identity_;
    settings = model_settings_;
    incoming = IncomingPath(dir_);
  }
  if (const auto taken = taker_.Take(**note, identity, settings, *log_, incoming); !taken) {
    if (taker_.wanted() != 0) wants_ = taker_.wanted();
    return tl::unexpected(taken.error());
  }
  wants_ = 0;
  if (!differs) return **note;
  // It is known to the servers before it is done: once means once. If they do not know, it is not done.
  renewed_ = (*note)->record;
  if (const auto known = PutOwn(OwnEntry()); !known) {
    renewed_ = 0;
    taker_.CouldNotUse(**note, known.error());
    return tl::unexpected(known.error());
  }
  return **note;
}

// Has the model closed and opened again: Open puts the snapshot in its place.
void SharedLog::PutInPlace(const SnapshotNote& note) {
  if (maker_.copied()) maker_.Discard();  // a copy of the model that goes
  std::unique_lock lock(mutex_);
  const uint64_t before = openings_;
  incoming_ = note;
  met_ = {};
  const auto is_done = [&] { return stop_ || openings_ > before; };
  while (!is_done()) {
    lock.unlock();
    hooks_.post({.run = [this](Model&) -> Result<void> {
                   const std::lock_guard asked(mutex_);
                   if (!incoming_) return {};
                   return tl::unexpected(Error{kBusy, "a snapshot takes the place of the model"});
                 },
                 .done = [](const Result<void>&) {}});
    lock.lock();
    changed_.wait_for(lock, kAskAgainForOpening, is_done);
  }
}

// Whole models, left by a process that was killed. In the model's thread, which has the model's lock, before
// the other thread begins.
void SharedLog::RemoveLeftovers(const std::filesystem::path& dir) {
  for (const auto& each : {IncomingPath(dir), SnapshotMaker::FolderOf(dir)}) {
    std::error_code none;
    std::filesystem::remove_all(each, none);
  }
}

// In the model's thread, while it is closed.
Result<void> SharedLog::ReplaceModel(const std::filesystem::path& dir) {
  std::optional<SnapshotNote> note;
  {
    const std::lock_guard lock(mutex_);
    note = std::exchange(incoming_, std::nullopt);
  }
  if (!note) return {};
  const std::filesystem::path incoming = IncomingPath(dir);
  const auto replaced = storage::ReplaceBy(incoming, dir);
  std::error_code none;
  std::filesystem::remove_all(incoming, none);
  if (replaced) return {};
  taker_.CouldNotUse(*note, FromStore(replaced.error()));
  return StoreFailure(replaced.error());
}

}  // namespace thresher::pipeline
