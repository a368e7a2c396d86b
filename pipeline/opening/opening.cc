#include "pipeline/opening/opening.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "pipeline/model/store_error.h"
#include "pipeline/settings/model_name.h"
#include "storage/score_image.h"
#include "storage/store_directory.h"
#include "tokenizer/text_libraries.h"

namespace thresher::pipeline {
namespace {

// Settings do not use storage.
static_assert(kDatabaseName == storage::kDatabaseName);

storage::Durability DurabilityOf(const Settings& settings, storage::Durability automatic) {
  if (settings.durability == "sync") return storage::Durability::kSync;
  if (settings.durability == "group") return storage::Durability::kGroup;
  return settings.durability == "os" ? storage::Durability::kOs : automatic;
}

bool HasModels(const std::filesystem::path& store) {
  std::error_code failed;
  std::filesystem::directory_iterator entry(store, failed);
  for (const std::filesystem::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    if (storage::Database::CheckExists(entry->path())) return true;
  }
  return false;
}

Result<std::unique_ptr<Model>> OpenToWrite(const std::filesystem::path& dir, const Settings& settings,
                                           const WriteAccess& access, Remake remake) {
  if (auto is_store = CheckIsStore(dir.parent_path()); !is_store) return tl::unexpected(is_store.error());
  // Used only if there is no model yet. If there is one, options of the settings may be for its learner only.
  auto new_meta = access.new_meta ? Result<storage::Meta>(*access.new_meta) : NewMeta(settings);
  if (!new_meta) {
    const auto exists = storage::Database::CheckExists(dir);
    if (!exists && exists.error().kind != storage::ErrorKind::kMissing) return StoreFailure(exists.error());
    if (!exists) return tl::unexpected(new_meta.error());
    new_meta = storage::Meta();
  }
  auto database =
      storage::Database::OpenOrCreate(dir, *new_meta, access.durability, access.wait, access.on_wait);
  if (!database) return StoreFailure(database.error());
  if (auto may = CheckFollows((*database)->meta(), access.follows, dir); !may)
    return tl::unexpected(may.error());
  auto identity = ReadCheckedIdentity((*database)->meta(), settings, remake);
  if (!identity) return tl::unexpected(identity.error());
  if (identity->key_secret.empty()) {
    identity->key_secret = NewKeySecret();
    const auto added = (*database)->AddText(kKeySecret, KeySecretText(identity->key_secret));
    if (!added) return StoreFailure(added.error());
  }
  return Model::Open(*std::move(database), *std::move(identity), access.model);
}

CheckpointRule CheckpointRuleOf(const Settings& settings) {
  return {.every = settings.checkpoint_every, .memory_bytes = settings.memory_bytes};
}

}  // namespace

// What is taught to a model that follows a log comes from the log only: otherwise it would not be what the
// others are.
Result<void> CheckFollows(const storage::Meta& meta, const std::string& follows,
                          const std::filesystem::path& dir) {
  const auto recorded = meta.find(kFollows);
  if ((recorded == meta.end() ? std::string() : recorded->second) == follows) {
    const auto libraries = meta.find(kTextLibraries);
    if (follows.empty() || libraries == meta.end() || libraries->second == tokenizer::TextLibraries())
      return {};
    return tl::unexpected(Error{
        kConfig,
        fmt::format("{}: the log holds messages, and its nodes tokenise them with {}; this program has {}",
                    dir.string(), libraries->second, tokenizer::TextLibraries())});
  }
  return tl::unexpected(
      Error{kConfig, fmt::format("{}: this model follows a log that several machines share: it is changed "
                                 "through that only (cluster.log, `thresher serve --log`); `thresher export` "
                                 "and `import` make one from it that does not",
                                 dir.string())});
}

std::filesystem::path ModelDirectory(const Settings& settings) {
  return std::filesystem::path(settings.store_path) / settings.model;
}

Result<void> CheckIsStore(const std::filesystem::path& store) {
  std::error_code failed;
  if (std::filesystem::exists(store, failed) && !std::filesystem::is_directory(store, failed)) {
    return tl::unexpected(
        Error{kConfig, fmt::format("{} is no store: expected a folder (store.path)", store.string())});
  }
  if (!storage::Database::CheckExists(store)) return {};  // who opens the model says what cannot be read
  const std::filesystem::path model = std::filesystem::absolute(store);
  return tl::unexpected(
      Error{kConfig, fmt::format("{} is a model, not a store: name it by --store {} --model {}",
                                 store.string(), model.parent_path().string(), model.filename().string())});
}

Result<void> CheckModelExists(const std::filesystem::path& dir) {
  const auto exists = storage::Database::CheckExists(dir);
  if (exists) return {};
  if (auto is_store = CheckIsStore(dir.parent_path()); !is_store) return is_store;
  if (exists.error().kind != storage::ErrorKind::kMissing) return StoreFailure(exists.error());
  // Not their names, which may be those of users: this text is in the header of delivered mail, too.
  const bool has_others = HasModels(dir.parent_path());
  return tl::unexpected(
      Error{kNoInput, fmt::format("{}; {}begin with `thresher learn`", exists.error().message,
                                  has_others ? "the store has others: name one by --model, or " : "")});
}

WriteAccess TeachingAccess(const Settings& settings) {
  return {.durability = DurabilityOf(settings, storage::Durability::kGroup),
          .wait = std::chrono::milliseconds(static_cast<int64_t>(settings.wait_seconds * 1000)),
          .model = {.checkpoint = CheckpointRuleOf(settings),
                    .keep = {.days = settings.log_keep_days, .bytes = settings.log_keep_bytes}}};
}

WriteAccess ReplayAccess(const Settings& settings) {
  WriteAccess access{.durability = DurabilityOf(settings, storage::Durability::kOs),
                     .model = {.checkpoint = CheckpointRuleOf(settings), .keep = {}}};
  if (settings.IsOnCommandLine("log.keep_days")) access.model.keep.days = settings.log_keep_days;
  if (settings.IsOnCommandLine("log.keep_bytes")) access.model.keep.bytes = settings.log_keep_bytes;
  return access;
}

Result<std::unique_ptr<Model>> OpenOrCreateModel(const std::filesystem::path& dir, const Settings& settings,
                                                 const WriteAccess& access) {
  return OpenToWrite(dir, settings, access, Remake::kNo);
}

Result<std::unique_ptr<Model>> OpenModel(const std::filesystem::path& dir, const Settings& settings,
                                         const WriteAccess& access, Remake remake) {
  if (auto exists = CheckModelExists(dir); !exists) return tl::unexpected(exists.error());
  return OpenToWrite(dir, settings, access, remake);
}

Result<StoredModel> OpenStored(const std::filesystem::path& dir, const Settings& settings) {
  if (auto exists = CheckModelExists(dir); !exists) return tl::unexpected(exists.error());
  auto database = storage::Database::OpenForReading(dir);
  if (!database) return StoreFailure(database.error());
  auto identity = ReadCheckedIdentity((*database)->meta(), settings);
  if (!identity) return tl::unexpected(identity.error());
  return StoredModel{*std::move(database), *std::move(identity)};
}

Result<Inspection> OpenForReading(const std::filesystem::path& dir, const Settings& settings) {
  auto stored = OpenStored(dir, settings);
  if (!stored) return tl::unexpected(stored.error());
  return Inspection::Open(std::move(stored->database), std::move(stored->identity));
}

Result<std::unique_ptr<Scorer>> OpenImageScorer(const std::filesystem::path& dir, const Settings& settings) {
  if (auto own = storage::CheckReadableStore(dir); !own) return StoreFailure(own.error());
  auto image = storage::ScoreImage::Open(dir);
  if (!image) return nullptr;
  auto identity = ReadCheckedIdentity(image->meta(), settings);
  return identity ? Scorer::Of(*std::move(image), *std::move(identity)) : nullptr;
}

Result<std::unique_ptr<Scorer>> OpenScorer(const std::filesystem::path& dir, const Settings& settings) {
  if (auto exists = CheckModelExists(dir); !exists) return tl::unexpected(exists.error());
  auto by_image = OpenImageScorer(dir, settings);
  // If the image says nothing of use, the database does.
  if (!by_image || *by_image) return by_image;
  auto model = OpenForReading(dir, settings);
  if (!model) return tl::unexpected(model.error());
  return Scorer::Of(*std::move(model));
}

}  // namespace thresher::pipeline
