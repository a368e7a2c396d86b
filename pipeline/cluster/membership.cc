#include "pipeline/cluster/membership.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <optional>
#include <utility>

#include "pipeline/opening/opening.h"
#include "storage/database.h"

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
  const auto agreed = log.Agree(own.Text());
  if (!agreed) return tl::unexpected(agreed.error());
  return ReadSharedIdentity(*agreed);
}

Result<Member> OpenFollowing(const std::filesystem::path& dir, const Settings& settings,
                             SharedIdentity identity, const std::string& stream) {
  if (identity.stream != stream) {
    return tl::unexpected(Error{kConfig, fmt::format("{}: this model follows the log '{}', not '{}'",
                                                     dir.string(), identity.stream, stream)});
  }
  WriteAccess access = AccessFor(settings, identity.keep);
  access.follows = identity.Text();
  auto model = OpenModel(dir, settings, access);
  if (!model) return tl::unexpected(model.error());
  return Member{*std::move(model), std::move(identity)};
}

// A model that was taught before becomes the one that the log begins with.
Result<Member> BeginLogWith(const std::filesystem::path& dir, const Settings& settings,
                            const std::string& stream, OrderedLog& log) {
  auto model = OpenModel(dir, settings, TeachingAccess(settings));
  if (!model) return tl::unexpected(model.error());
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

Result<Member> MakeMember(const std::filesystem::path& dir, const Settings& settings,
                          const std::string& stream, OrderedLog& log) {
  auto meta = NewMeta(settings);
  if (!meta) return tl::unexpected(meta.error());
  WriteAccess access = TeachingAccess(settings);
  auto agreed =
      AgreeUpon({.stream = stream, .meta = *std::move(meta), .keep = access.model.keep, .base = {}}, log);
  if (!agreed) return tl::unexpected(agreed.error());
  if (!agreed->base.empty()) {
    return tl::unexpected(
        Error{kConfig, fmt::format("the log '{}' began with a model that had been taught before ({}): begin "
                                   "from a backup of one of its nodes (docs/cluster.md)",
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

}  // namespace

Result<Member> OpenMember(const std::filesystem::path& dir, const Settings& settings,
                          const std::string& stream, OrderedLog& log) {
  if (!storage::Database::CheckExists(dir)) return MakeMember(dir, settings, stream, log);
  auto recorded = RecordedIdentity(dir, settings);
  if (!recorded) return tl::unexpected(recorded.error());
  if (*recorded) return OpenFollowing(dir, settings, **std::move(recorded), stream);
  return BeginLogWith(dir, settings, stream, log);
}

Result<void> CheckLog(const SharedIdentity& own, uint64_t position, OrderedLog& log) {
  const auto text = log.Agreed();
  if (!text) return tl::unexpected(text.error());
  if (!*text) {
    return tl::unexpected(
        Error{kData, fmt::format("the log '{}' says nothing of a model, though this node has applied its "
                                 "records up to {}: it was removed, or is another one of that name",
                                 own.stream, position)});
  }
  const auto agreed = ReadSharedIdentity(**text);
  if (!agreed) return tl::unexpected(agreed.error());
  if (*agreed != own) return tl::unexpected(OtherModels(*agreed, own));
  return {};
}

Result<void> CheckFollowsOn(const OrderedLog::Batch& batch, uint64_t position, const std::string& stream) {
  const uint64_t first = batch.records.empty() ? batch.first : batch.records.front().seq;
  if (first > position + 1) {
    return tl::unexpected(
        Error{kData, fmt::format("the log '{}' has no record {} any more, its next one is {}: begin from a "
                                 "backup of another node (docs/cluster.md)",
                                 stream, position + 1, first)});
  }
  if (batch.last < position) {
    return tl::unexpected(Error{
        kData, fmt::format("the log '{}' ends with record {}, though this node has applied record {}: it was "
                           "removed and made again, or restored from an older state",
                           stream, batch.last, position)});
  }
  return {};
}

}  // namespace thresher::pipeline
