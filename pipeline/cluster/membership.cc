#include "pipeline/cluster/membership.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "pipeline/settings/table.h"
#include "storage/database.h"
#include "storage/replace.h"
#include "tokenizer/text_libraries.h"

namespace thresher::pipeline {
namespace {

// As a daemon opens it, which tries again itself.
WriteAccess AccessFor(const Settings& settings, const LogLimits& keep) {
  WriteAccess access = TeachingAccess(settings);
  access.wait = {};
  access.model.keep = keep;
  return access;
}

// What the model that stands in `dir` has recorded of a log; nothing if it follows none.
Result<std::optional<SharedIdentity>> RecordedIdentity(const std::filesystem::path& dir,
                                                       const Settings& settings) {
  const auto stored = OpenStored(dir, settings);
  if (!stored) return tl::unexpected(stored.error());
  const storage::Meta& meta = stored->database->meta();
  const auto follows = meta.find(kFollows);
  if (follows == meta.end()) return std::nullopt;
  auto identity = ReadSharedIdentity(follows->second);
  if (!identity) return tl::unexpected(identity.error());
  return *std::move(identity);
}

Error OtherModels(const SharedIdentity& agreed, const SharedIdentity& own) {
  return {
      kConfig,
      fmt::format("the log '{}' is that of model {}, and this node has model {} ({}): begin with an empty "
                  "folder, or from a backup of a node of that log",
                  agreed.stream, agreed.Name(), own.Name(), DifferencesOf(agreed, own))};
}

Result<SharedIdentity> AgreeUpon(const SharedIdentity& own, OrderedLog& log) {
  if (auto made = log.Create(); !made) return tl::unexpected(made.error());
  const auto last = log.Last();
  if (!last) return tl::unexpected(last.error());
  if (*last != 0) {
    const auto known = log.Agreed();
    if (!known) return tl::unexpected(known.error());
    if (!*known) {
      return tl::unexpected(
          Error{kBusy, fmt::format("the log '{}' has records, but what was agreed upon is gone: a node that "
                                   "has applied them puts it back (docs/cluster.md)",
                                   own.stream)});
    }
  }
  const auto agreed = log.Agree(own.Text());
  if (!agreed) return tl::unexpected(agreed.error());
  return ReadSharedIdentity(*agreed);
}

// Whoever joins later tokenises the messages of the model's log with the libraries that it records.
Result<void> CheckTextLibraries(const storage::Meta& meta) {
  const auto recorded = meta.find(kTextLibraries);
  if (recorded == meta.end() || recorded->second == tokenizer::TextLibraries()) return {};
  return tl::unexpected(
      Error{kConfig, fmt::format("this model was made with {}, and this program has {}: `thresher rebuild` "
                                 "makes it again, so that a log can begin with it",
                                 recorded->second, tokenizer::TextLibraries())});
}

// A model that was taught before becomes the one that the log begins with.
Result<Member> BeginLogWith(const std::filesystem::path& dir, const Settings& settings,
                            const std::string& stream, OrderedLog& log) {
  auto model = OpenModel(dir, settings, TeachingAccess(settings));
  if (!model) return tl::unexpected(model.error());
  if (auto same = CheckTextLibraries((*model)->meta()); !same) return tl::unexpected(same.error());
  const auto state = (*model)->Digest();
  if (!state) return tl::unexpected(state.error());
  const SharedIdentity own{
      .stream = stream, .meta = (*model)->meta(), .keep = (*model)->keep(), .base = *state};
  const auto agreed = AgreeUpon(own, log);
  if (!agreed) return tl::unexpected(agreed.error());
  if (*agreed != own) return tl::unexpected(OtherModels(*agreed, own));
  if (auto done = (*model)->Follow(own.Text()); !done) return tl::unexpected(done.error());
  return Member{*std::move(model), own};
}

// These are no part of what a model records.
Result<void> CheckKeep(const SharedIdentity& agreed, const Settings& settings) {
  Settings as_agreed = settings;
  as_agreed.log_keep_days = agreed.keep.days;
  as_agreed.log_keep_bytes = agreed.keep.bytes;
  for (const std::string_view key : {"log.keep_days", "log.keep_bytes"}) {
    const Setting& setting = *FindSetting(key);
    if (!settings.IsOnCommandLine(key) || setting.Text(settings) == setting.Text(as_agreed)) continue;
    return tl::unexpected(Error{
        kConfig, fmt::format("the nodes of the log '{}' agreed upon {} {}, not {} ({}): leave it to them",
                             agreed.stream, key, setting.Text(as_agreed), setting.Text(settings),
                             settings.named.find(key)->second.place)});
  }
  return {};
}

// What the command line or this program contradicts is no fault of a snapshot: none is fetched for it.
Result<void> CheckAgreed(const SharedIdentity& agreed, const Settings& settings,
                         const std::filesystem::path& dir) {
  storage::Meta meta = agreed.meta;
  meta.insert_or_assign(std::string(kFollows), agreed.Text());
  if (auto can = CheckFollows(meta, agreed.Text(), dir); !can) return can;
  if (auto can = CheckKeep(agreed, settings); !can) return can;
  return ReadCheckedIdentity(meta, settings).map([](const ModelIdentity&) {});
}

// Whether the log has all records from the first one on, and that one follows on a new model.
bool CanBeginWithFirst(const SharedIdentity& identity, OrderedLog& log) {
  if (!identity.base.empty()) return false;
  const auto all = log.After(0);
  return all && all->first == 1;
}

// Makes the model of `dir` from the newest snapshot. False if there is none. kBusy: it is damaged, or the
// servers do not have all of it (SnapshotTaker::wanted), and the log has lost what came before it.
Result<bool> BeginWithSnapshot(const std::filesystem::path& dir, const Settings& settings,
                               const SharedIdentity& identity, OrderedLog& log, SnapshotTaker& snapshots) {
  const auto note = ReadSnapshotNote(log);
  if (!note) return tl::unexpected(note.error());
  if (!*note) return false;
  const std::filesystem::path incoming = IncomingPath(dir);
  if (auto taken = snapshots.Take(**note, identity, settings, log, incoming); !taken) {
    if (snapshots.wanted() == 0) return tl::unexpected(taken.error());
    if (CanBeginWithFirst(identity, log)) return false;
    return tl::unexpected(Error{kBusy, fmt::format("{}; a node of the log '{}' makes another one",
                                                   taken.error().message, identity.stream)});
  }
  const auto put = storage::PutInto(incoming, dir);
  std::error_code none;
  std::filesystem::remove_all(incoming, none);
  if (put) return true;
  snapshots.CouldNotUse(**note, FromStore(put.error()));
  return StoreFailure(put.error());
}

Result<Member> MakeMember(const std::filesystem::path& dir, const Settings& settings,
                          const std::string& stream, OrderedLog& log, SnapshotTaker& snapshots) {
  auto meta = NewMeta(settings);
  if (!meta) return tl::unexpected(meta.error());
  WriteAccess access = TeachingAccess(settings);
  auto agreed =
      AgreeUpon({.stream = stream, .meta = *std::move(meta), .keep = access.model.keep, .base = {}}, log);
  if (!agreed) return tl::unexpected(agreed.error());
  if (auto can = CheckAgreed(*agreed, settings, dir); !can) return tl::unexpected(can.error());
  const auto begun = BeginWithSnapshot(dir, settings, *agreed, log, snapshots);
  if (!begun) return tl::unexpected(begun.error());
  if (*begun) return OpenFollowing(dir, settings, *agreed);
  if (!agreed->base.empty()) {
    return tl::unexpected(Error{
        kBusy, fmt::format("the log '{}' began with a model that had been taught before ({}), and there "
                           "is no snapshot yet: a node of it makes one, or begin from a backup of it "
                           "(docs/cluster.md)",
                           stream, agreed->base)});
  }
  access = AccessFor(settings, agreed->keep);
  access.follows = agreed->Text();
  access.new_meta = agreed->meta;
  access.new_meta->emplace(kFollows, access.follows);
  auto model = OpenOrCreateModel(dir, settings, access);
  if (!model) return tl::unexpected(model.error());
  return Member{*std::move(model), *std::move(agreed)};
}

constexpr char kOlderState[] = "it was removed and made again, or restored from an older state";

// A log that was restored may be longer by now than it was: it is known by the time of a record.
Result<void> CheckRecordAt(const AppliedRecord& position, OrderedLog& log, const std::string& stream) {
  if (position.record == 0 || position.time_us == 0) return {};
  const auto there = log.After(position.record - 1);
  if (!there) return tl::unexpected(there.error());
  bool is_other = there->first == position.record && there->oldest_us != position.time_us;
  if (there->first > position.record) {
    // Of another model, or removed with all before it.
    const auto all = log.After(0);
    if (!all) return tl::unexpected(all.error());
    is_other = all->first < position.record;
  }
  if (!is_other) return {};
  return tl::unexpected(
      Error{kData, fmt::format("record {} of the log '{}' is not the one that this node has applied: {}",
                               position.record, stream, kOlderState)});
}

// Whether the log is certainly that of which this node has applied the record.
Result<bool> Knows(const AppliedRecord& position, OrderedLog& log) {
  const auto there = log.After(position.record == 0 ? 0 : position.record - 1);
  if (!there) return tl::unexpected(there.error());
  if (position.record == 0) return there->records == 0;
  return position.time_us != 0 && there->first == position.record && there->oldest_us == position.time_us;
}

// What was agreed upon, which a node that knows the log puts back if it was lost.
Result<std::optional<std::string>> AgreedOrPutBack(const SharedIdentity& own, const AppliedRecord& position,
                                                   OrderedLog& log) {
  auto text = log.Agreed();
  if (!text || *text) return text;
  const auto knows = Knows(position, log);
  if (!knows) return tl::unexpected(knows.error());
  if (!*knows) return text;
  auto agreed = log.Agree(own.Text());
  if (!agreed) return tl::unexpected(agreed.error());
  return *std::move(agreed);
}

// The note of the snapshot is lost with what was agreed upon. Without one, a new node would take the first
// record that is there for the first of all; one that cannot be read says that there was a snapshot.
Result<void> PutBackNote(OrderedLog& log) {
  const auto all = log.After(0);
  if (!all) return tl::unexpected(all.error());
  if (all->first <= 1) return {};
  const auto note = log.Announced();
  if (!note) return tl::unexpected(note.error());
  return *note ? Result<void>() : log.Announce("lost");
}

}  // namespace

Result<Member> OpenFollowing(const std::filesystem::path& dir, const Settings& settings,
                             const SharedIdentity& identity) {
  WriteAccess access = AccessFor(settings, identity.keep);
  access.follows = identity.Text();
  auto model = OpenModel(dir, settings, access);
  if (!model) return tl::unexpected(model.error());
  return Member{*std::move(model), identity};
}

Result<Member> OpenMember(const std::filesystem::path& dir, const Settings& settings,
                          const std::string& stream, OrderedLog& log, SnapshotTaker& snapshots) {
  if (const auto exists = storage::Database::CheckExists(dir); !exists) {
    // What cannot be looked at may be a model.
    if (exists.error().kind != storage::ErrorKind::kMissing) return StoreFailure(exists.error());
    return MakeMember(dir, settings, stream, log, snapshots);
  }
  const auto recorded = RecordedIdentity(dir, settings);
  if (!recorded) return tl::unexpected(recorded.error());
  if (*recorded && (*recorded)->stream != stream) {
    return tl::unexpected(Error{kConfig, fmt::format("{}: this model follows the log '{}', not '{}'",
                                                     dir.string(), (*recorded)->stream, stream)});
  }
  if (*recorded) {
    if (auto can = CheckKeep(**recorded, settings); !can) return tl::unexpected(can.error());
    return OpenFollowing(dir, settings, **recorded);
  }
  return BeginLogWith(dir, settings, stream, log);
}

Result<void> CheckLog(const SharedIdentity& own, const AppliedRecord& position, OrderedLog& log) {
  const auto text = AgreedOrPutBack(own, position, log);
  if (!text) return tl::unexpected(text.error());
  if (!*text) {
    return tl::unexpected(
        Error{kData, fmt::format("the log '{}' says nothing of a model, though this node has applied its "
                                 "records up to {}: it was removed, or is another one of that name",
                                 own.stream, position.record)});
  }
  const auto agreed = ReadSharedIdentity(**text);
  if (!agreed) return tl::unexpected(agreed.error());
  if (*agreed != own) return tl::unexpected(OtherModels(*agreed, own));
  if (auto same = CheckRecordAt(position, log, own.stream); !same) return same;
  return PutBackNote(log);
}

uint64_t FirstOf(const OrderedLog::Batch& batch) {
  return batch.records.empty() ? batch.first : batch.records.front().previous + 1;
}

bool IsBehind(const OrderedLog::Batch& batch, uint64_t position) { return FirstOf(batch) > position + 1; }

Result<void> CheckFollowsOn(const OrderedLog::Batch& batch, uint64_t position, const std::string& stream) {
  if (IsBehind(batch, position)) {
    return tl::unexpected(
        Error{kData, fmt::format("the log '{}' has no record {} any more: this node needs a snapshot "
                                 "(docs/cluster.md)",
                                 stream, position + 1)});
  }
  if (batch.last < position) {
    return tl::unexpected(Error{
        kData, fmt::format("the log '{}' ends with record {}, though this node has applied record {}: {}",
                           stream, batch.last, position, kOlderState)});
  }
  return {};
}

}  // namespace thresher::pipeline
