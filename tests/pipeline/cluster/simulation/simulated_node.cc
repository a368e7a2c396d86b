#include "tests/pipeline/cluster/simulation/simulated_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "storage/backup.h"
#include "storage/replace.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRecordsAtOnce = 64;
constexpr int64_t kSnapshotAgainAfterUs = 30 * kSecondUs;

// What no fault of a simulation explains.
void Must(const Result<void>& done, const char* what) {
  if (!done) throw std::runtime_error(fmt::format("{}: {}", what, done.error().message));
}

Settings SettingsOfNode() {
  Settings settings;
  settings.log_keep_days = 0;
  settings.durability = "os";
  settings.rehearsal.bytes = 10000;  // so few that rehearsed examples leave
  // Few features: what is simulated is the order in which they are learned.
  for (const auto& family : tokenizer::kTokenFamilies) settings.features.*family.enabled = false;
  settings.features.headers = true;
  return settings;
}

void RemoveAll(const fs::path& path) {
  std::error_code none;
  fs::remove_all(path, none);
}

}  // namespace

SimulatedNode::SimulatedNode(fs::path dir, const Options& options, SimulatedServers& servers)
    : link(servers, options.planted == Planted::kSwapsRecords),
      dir_(dir / "default"),
      options_(options),
      servers_(servers),
      settings_(SettingsOfNode()),
      copy_(dir / "default.snapshot") {
  fs::create_directories(dir);
}

bool SimulatedNode::Start() {
  taker_ = std::make_unique<SnapshotTaker>([] { return true; }, /*again_after=*/std::chrono::milliseconds(0));
  for (const fs::path& left : {IncomingPath(dir_), copy_}) RemoveAll(left);
  auto begun = Begin(OpenMember(dir_, settings_, "mail", link, *taker_));
  if (!begun && begun.error().exit_code != kBusy) Must(begun, "a node cannot begin");
  if (!begun) return false;
  const fs::path path = dir_.parent_path() / "outbox";
  if (options_.planted == Planted::kLosesOutbox) fs::remove(path);
  auto outbox = Outbox::Open(path, std::numeric_limits<uint32_t>::max(), options_.id);
  Must(outbox.map([](const auto&) {}), "the outbox");
  outbox_ = *std::move(outbox);
  return true;
}

Result<void> SimulatedNode::Begin(Result<Member> member) {
  if (!member) return tl::unexpected(member.error());
  model_ = std::move(member->model);
  identity_ = std::move(member->identity);
  follower_.emplace(identity_.Digest(), options_.digest_every);
  Must(follower_->Resume(*model_), "the notes of a model");
  return {};
}

void SimulatedNode::Kill() {
  model_.reset();
  outbox_.reset();
  follower_.reset();
  taker_.reset();
  is_checked_ = false;
  trouble_ = differs_ = "";
  met_us_.reset();
  met_record_ = met_nodes_ = 0;
  renewed_.reset();
  wants_ = 0;
  copied_.reset();
  copy_again_us_ = take_again_us_ = 0;
}

bool SimulatedNode::Submit(Operation* operation) {
  operation->identity = identity_.Digest();
  return outbox_->Append(operation) && outbox_->Sync();
}

SimulatedNode::Pace SimulatedNode::Publish() {
  if (outbox_->empty()) return Pace::kNothingNew;
  const auto record = outbox_->Front();
  Must(record.map([](const auto&) {}), "the outbox");
  const std::string name = fmt::format("{:016x}-{}", outbox_->author(), outbox_->FrontNumber());
  if (!is_checked_ || !link.Publish(name, *record)) return Pace::kLater;
  Must(outbox_->PopFront(), "the outbox");
  return Pace::kAtOnce;
}

SimulatedNode::Pace SimulatedNode::Fail(const Error& error) {
  trouble_ = error.message;
  is_checked_ = false;
  return Pace::kLater;
}

SimulatedNode::Pace SimulatedNode::Read(std::optional<uint64_t> die_after) {
  if (!is_checked_) {
    if (const auto checked = CheckLog(identity_, follower_->at(), link); !checked)
      return Fail(checked.error());
  }
  Meet();
  if (!differs_.empty()) {
    TakeSnapshot(/*least=*/1);
    return Pace::kLater;
  }
  const auto batch = link.Read(position(), kRecordsAtOnce, {});
  if (!batch) return Fail(batch.error());
  if (const auto follows = CheckFollowsOn(*batch, position(), identity_.stream); !follows) {
    Fail(follows.error());
    if (IsBehind(*batch, position())) TakeSnapshot(FirstOf(*batch) - 1);
    return Pace::kLater;
  }
  is_checked_ = true;
  last_ = batch->last;
  wants_ = 0;
  trouble_ = "";
  return batch->records.empty() ? Pace::kNothingNew : ApplyAll(batch->records, die_after);
}

SimulatedNode::Pace SimulatedNode::ApplyAll(const std::vector<LogRecord>& records,
                                            std::optional<uint64_t> die_after) {
  uint64_t count = 0;
  for (const LogRecord& record : records) {
    if (options_.planted == Planted::kForgetsAuthors || options_.planted == Planted::kAllForgetAuthors)
      ForgetAuthors();
    if (die_after && count++ == *die_after) return Pace::kDied;
    const auto outcome = follower_->Apply(*model_, record);
    Must(outcome.map([](const auto&) {}), "a record");
    counts_.applied += outcome->fate == Fate::kApplied ? 1 : 0;
    counts_.duplicates += outcome->fate == Fate::kDuplicate ? 1 : 0;
    counts_.foreign += outcome->fate == Fate::kForeign ? 1 : 0;
    if (outcome->fate != Fate::kNewer && outcome->fate != Fate::kGap) continue;
    return Fail({kData, fmt::format("record {} is missing, or newer than the program", position() + 1)});
  }
  Must(follower_->Finish(*model_), "the last record");
  Must(model_->Acknowledge(), "what was applied");
  return Pace::kAtOnce;
}

void SimulatedNode::ForgetAuthors() {
  Must(follower_->Finish(*model_), "the last record");
  const auto notes = model_->ReadNotes();
  Must(notes.map([](const auto&) {}), "the notes");
  storage::Notes forgotten;
  for (const auto& [name, value] : *notes) {
    if (name.starts_with("author/")) forgotten.insert_or_assign(name, "");
  }
  Must(model_->WriteNotes(forgotten), "the notes");
  Must(follower_->Resume(*model_), "the notes");
}

void SimulatedNode::Damage(const Operation& operation) {
  const auto features = tokenizer::DecodeFeatures(operation.features, model_->identity().MakeIdSpace());
  const auto learned = model_->Learn(*features, {"", "damage"}, {operation.label, Evidence::kStream});
  Must(learned.map([](const auto&) {}), "damage");
  Must(model_->Checkpoint(), "damage");
  is_damaged_ = true;
}

std::vector<ModelDigest> SimulatedNode::NewDigests() {
  std::vector<ModelDigest> digests;
  for (const ModelDigest& each : follower_->digests()) {
    if (each.record > digest_seen_) digests.push_back(each);
  }
  if (!digests.empty()) digest_seen_ = digests.back().record;
  return digests;
}

// ---- as pipeline/serve/shared_log_nodes.cc

NodeEntry SimulatedNode::OwnEntry() const {
  return {.id = options_.id,
          .name = dir_.parent_path().filename(),
          .version = "1",
          .state = trouble().empty() ? NodeState::kFollowing : NodeState::kNotFollowed,
          .position = position(),
          .last = last_,
          .outbox = outbox_->size(),
          .wants = wants_,
          .renewed = renewed_.value_or(0),
          .trouble = trouble(),
          .digests = follower_->digests()};
}

void SimulatedNode::Meet() {
  NodeEntry own = OwnEntry();
  const uint64_t digest_record = own.digests.empty() ? 0 : own.digests.back().record;
  const int64_t now_us = servers_.time().now_us();
  const std::chrono::milliseconds since(met_us_ ? (now_us - *met_us_) / 1000 : int64_t{1} << 40);
  if (!MeetingIsDue(since, met_nodes_, digest_record != met_record_)) return;
  met_us_ = now_us;
  met_record_ = digest_record;
  const auto nodes = ReadNodes(link);
  if (!nodes) return;
  met_nodes_ = nodes->size();
  if (!renewed_) {
    const auto before =
        std::find_if(nodes->begin(), nodes->end(), [&](const auto& each) { return each.id == own.id; });
    renewed_ = own.renewed = before == nodes->end() ? 0 : before->renewed;
  }
  const Comparison compared = CompareWithNodes(own, *nodes);
  if (own.renewed != 0 && HasProvenItself(own, compared)) renewed_ = own.renewed = 0;
  const bool differs = compared.state == NodeState::kDiffers;
  if (differs && differs_.empty()) ++counts_.found_to_differ;
  differs_ = differs ? compared.why : "";
  if (compared.state != NodeState::kFollowing) {
    own.state = compared.state;
    own.trouble = compared.why;
  }
  if (!link.PutEntry(fmt::format("{:016x}", own.id), TextOf(own))) return;
  StepOfSnapshot(own, *nodes, compared);
}

void SimulatedNode::StepOfSnapshot(const NodeEntry& own, const std::vector<NodeEntry>& nodes,
                                   const Comparison& compared) {
  const auto newest = ReadSnapshotNote(link);
  if (!newest) return;
  const int64_t now_us = servers_.time().now_us();
  const SnapshotMoment moment{own, nodes, *newest};
  if (options_.planted == Planted::kGivesWrongModel && is_damaged_) {
    Copy();
    return Give(*newest);
  }
  if (copied_) {
    const CopyStep step = StepOfCopy(copied_->record, moment, compared, options_.digest_every);
    if (step == CopyStep::kSend) Give(*newest);
    if (step == CopyStep::kDiscard) copied_.reset();
  } else if (now_us >= copy_again_us_ && MayMakeSnapshot(moment)) {
    const auto rest = link.After(*newest ? (*newest)->record : 0);
    if (rest && SnapshotIsDue(moment, {.records = options_.snapshot_every}, *rest, false)) Copy();
  }
}

void SimulatedNode::Give(const std::optional<SnapshotNote>& newest) {
  const auto given = GiveSnapshot(
      copy_, link, [] { return true; }, *std::exchange(copied_, std::nullopt), newest);
  if (!given) copy_again_us_ = servers_.time().now_us() + kSnapshotAgainAfterUs;
  counts_.given += given ? 1 : 0;
}

void SimulatedNode::Copy() {
  Must(follower_->Finish(*model_), "the last record");
  Must(model_->Acknowledge(), "what was applied");
  const auto digest = model_->Digest();
  Must(digest.map([](const auto&) {}), "a digest");
  RemoveAll(copy_);
  if (!storage::BackUp(dir_, copy_)) throw std::runtime_error("a model cannot be copied");
  copied_ = SnapshotNote{.name = fmt::format("{:x}", servers_.Below(std::numeric_limits<uint64_t>::max())),
                         .identity = identity_.Digest(),
                         .maker = options_.id,
                         .record = position(),
                         .model = *digest};
}

void SimulatedNode::TakeSnapshot(uint64_t least) {
  const bool differs = !differs_.empty();
  const int64_t now_us = servers_.time().now_us();
  if ((differs && renewed_.value_or(0) != 0) || now_us < take_again_us_) return;
  const auto note = ReadSnapshotNote(link);
  if (!note) return;
  const SnapshotNeed need{options_.id, least, differs};
  if (!Helps(*note, need)) {
    wants_ = WantedAfter(*note, need);
    return;
  }
  const auto taken = taker_->Take(**note, identity_, settings_, link, IncomingPath(dir_));
  if (taken || taken.error().exit_code != kData) take_again_us_ = now_us + kSnapshotAgainAfterUs;
  if (!taken) {
    if (taken.error().exit_code == kData) wants_ = (*note)->record + 1;
    return;
  }
  wants_ = 0;
  if (differs) {
    renewed_ = (*note)->record;
    if (!link.PutEntry(fmt::format("{:016x}", options_.id), TextOf(OwnEntry()))) {
      renewed_ = 0;
      return;
    }
  }
  PutInPlace();
}

void SimulatedNode::PutInPlace() {
  model_.reset();
  if (!storage::ReplaceBy(IncomingPath(dir_), dir_)) throw std::runtime_error("a model cannot be replaced");
  RemoveAll(IncomingPath(dir_));
  Must(Begin(OpenFollowing(dir_, settings_, identity_)), "a snapshot");
  met_us_.reset();
  copied_.reset();
  differs_ = "";
  is_damaged_ = false;
  digest_seen_ = 0;
  ++counts_.taken;
}

}  // namespace thresher::pipeline
