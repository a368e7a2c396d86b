#include "storage/backup.h"

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "storage/copy_file.h"
#include "storage/database.h"
#include "storage/database_impl.h"
#include "storage/log_prefix.h"
#include "storage/model_meta.h"
#include "storage/private_directory.h"
#include "storage/publish_image.h"
#include "storage/rocksdb_files.h"
#include "storage/rocksdb_options.h"
#include "storage/score_image.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"
#include "storage/write_file.h"
#include "storage/writer_lock.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// How many times to try for a moment in which no writer replaces files. Tables are copied once only, so every
// try after the first takes milliseconds, and so does the pause.
constexpr int kMostTries = 2000;
constexpr auto kPauseOfCopy = std::chrono::milliseconds(2);

Result<std::vector<std::string>> NamesIn(const fs::path& dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(dir, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return tl::unexpected(CannotRead(error.value(), dir));
  std::ranges::sort(names, IsEarlierFile);  // logs among others
  return names;
}

bool IsTable(const std::string& name) { return name.ends_with(".sst"); }
// Whether RocksDB needs the file, apart from tables. IDENTITY is copied because the sync marks in the logs
// name the store by it.
bool IsRecord(const std::string& name) {
  return name == "CURRENT" || name == "IDENTITY" || IsListOfFiles(name) || name.ends_with(".log");
}

class Copier {
 public:
  Copier(fs::path from, fs::path to) : from_(std::move(from)), to_(std::move(to)) {}

  // Copies what is there now. False if a file was removed meanwhile.
  Result<bool> Take();
  // Removes all tables but those named: a table that is still being written must not stay linked.
  Result<void> KeepTables(const std::set<std::string>& named);

  const Backup& counts() const { return counts_; }

 private:
  Result<void> TakeTable(const std::string& name);
  Result<void> TakeRecord(const std::string& name);
  Result<void> RemoveRecords();

  fs::path from_;
  fs::path to_;
  Backup counts_;
};

Error CannotRemove(const std::error_code& error, const fs::path& path) {
  return SystemError(error.value(), fmt::format("cannot remove {}", path.string()));
}

// RocksDB closes a log before it starts the next one. So all listed logs but the last are complete, and of
// the last a prefix is copied: together they are the log as it was at one moment.
Result<bool> Copier::Take() {
  if (auto removed = RemoveRecords(); !removed) return tl::unexpected(removed.error());
  const auto names = NamesIn(from_);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    Result<void> taken;
    if (IsTable(name)) taken = TakeTable(name);
    if (IsRecord(name)) taken = TakeRecord(name);
    if (!taken && taken.error().kind == ErrorKind::kMissing) return false;
    if (!taken) return tl::unexpected(taken.error());
  }
  return true;
}

// Tables only grow until they are complete, and their numbers are not used again.
Result<void> Copier::TakeTable(const std::string& name) {
  std::error_code unknown;
  std::error_code absent;
  const auto whole = fs::file_size(from_ / name, unknown);
  const auto there = fs::file_size(to_ / name, absent);
  if (!unknown && !absent && whole == there) return {};
  if (absent && LinkFile(from_ / name, to_ / name)) {
    ++counts_.tables_linked;
    return {};
  }
  const auto copied = CopyFile(from_ / name, to_ / name);
  if (!copied) return tl::unexpected(copied.error());
  ++counts_.tables_copied;
  counts_.bytes_copied += *copied;
  return {};
}

Result<void> Copier::TakeRecord(const std::string& name) {
  const auto copied = CopyFile(from_ / name, to_ / name);
  if (!copied) return tl::unexpected(copied.error());
  counts_.bytes_copied += *copied;
  return {};
}

Result<void> Copier::RemoveRecords() {
  const auto names = NamesIn(to_);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    std::error_code error;
    if (IsRecord(name)) fs::remove(to_ / name, error);
    if (error) return tl::unexpected(CannotRemove(error, to_ / name));
  }
  return {};
}

Result<void> Copier::KeepTables(const std::set<std::string>& named) {
  const auto names = NamesIn(to_);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    std::error_code error;
    if (IsTable(name) && !named.contains(name)) fs::remove(to_ / name, error);
    if (error) return tl::unexpected(CannotRemove(error, to_ / name));
  }
  return {};
}

// As in Database::OpenForReading, what was copied is the state of one moment only if no file became obsolete
// meanwhile.
Result<void> Catch(const fs::path& dir, Copier* copier) {
  for (int i = 0; i < kMostTries; ++i) {
    const std::string before = StateName(dir);
    const auto taken = copier->Take();
    if (!taken) return tl::unexpected(taken.error());
    if (*taken && StateName(dir) == before) return {};
    std::this_thread::sleep_for(kPauseOfCopy);
  }
  return tl::unexpected(Error{
      ErrorKind::kBusy, fmt::format("{} is being rewritten all the time: try again later", dir.string())});
}

// The names of the tables of the database in `path`. Opens the database, which shows that it can be opened.
// Of a list of files with a damaged end the rest is what a crash left: CheckLog has found that nothing is
// missing.
Result<std::set<std::string>> TablesOf(const fs::path& path, const fs::path& dir) {
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* opened = nullptr;
  const auto env = ReaderEnv(rocksdb::FileSystem::Default(), ListEnd::kTorn);
  rocksdb::DBOptions options = ReaderOptions(LogEnd::kTorn, env.get());
  LogPrefix log_prefix(LogPrefix::kAll);
  options.wal_filter = &log_prefix;
  const auto status = rocksdb::DB::OpenForReadOnly(options, path.string(), AllFamilies(), &families, &opened);
  if (!status.ok()) return tl::unexpected(RocksError(status, dir));
  const std::unique_ptr<rocksdb::DB> rocks(opened);
  std::vector<rocksdb::LiveFileMetaData> live;
  rocks->GetLiveFilesMetaData(&live);
  const auto meta = ReadMeta(*rocks, dir);
  for (auto* family : families) rocks->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  if (!meta) return tl::unexpected(meta.error());
  std::set<std::string> tables;
  for (const auto& file : live) tables.insert(file.name.substr(file.name.find_last_of('/') + 1));
  return tables;
}

// Fills `unfinished` with the database of `dir`.
Result<Backup> CopyDatabase(const fs::path& dir, const fs::path& unfinished) {
  std::error_code error;
  fs::remove_all(unfinished, error);  // left by an interrupted backup
  if (auto made = MakePrivateDirectory(unfinished); !made) return tl::unexpected(made.error());
  Copier copier(DatabasePath(dir), unfinished);
  if (auto caught = Catch(dir, &copier); !caught) return tl::unexpected(caught.error());
  const auto tables = TablesOf(unfinished, dir);
  if (!tables) return tl::unexpected(tables.error());
  if (auto kept = copier.KeepTables(*tables); !kept) return tl::unexpected(kept.error());
  if (auto synced = SyncDirectory(unfinished); !synced) return tl::unexpected(synced.error());
  return copier.counts();
}

Result<void> CopyIfThere(const fs::path& from, const fs::path& to) {
  auto copied = CopyFile(from, to);
  if (!copied && copied.error().kind != ErrorKind::kMissing) return tl::unexpected(copied.error());
  return {};
}

// Keeps the copied score image if it belongs to the copied database; otherwise removes it, and scoring uses
// the database. Counts the examples of the copy.
Result<void> PublishImageOf(const fs::path& dir, const fs::path& target, Backup* backup) {
  if (auto copied = CopyIfThere(ImageChangesPath(dir), ImageChangesPath(target)); !copied)
    return tl::unexpected(copied.error());
  std::error_code none;  // there may be no image
  fs::rename(UnfinishedImagePath(target), ImagePath(target), none);
  const auto impl = DatabaseImpl::OpenForReading(target);
  if (!impl) return tl::unexpected(impl.error());
  if (!CurrentImage(**impl)) {
    if (auto withdrawn = ScoreImage::Withdraw(target); !withdrawn) return tl::unexpected(withdrawn.error());
  }
  if (auto marked = (*impl)->MarkAllSynced(); !marked) return tl::unexpected(marked.error());
  backup->last_seq = (*impl)->last_seq();
  backup->examples = backup->last_seq + 1 - (*impl)->log_extent().first_seq;
  return {};
}

// Whether it lies below; `target` need not exist.
bool LiesIn(const fs::path& target, const fs::path& dir) {
  std::error_code failed;
  const fs::path inner = fs::weakly_canonical(fs::absolute(target, failed), failed);
  const fs::path outer = fs::canonical(dir, failed);
  return !failed && inner != outer && std::ranges::mismatch(outer, inner).in1 == outer.end();
}

// A backup of the model in `dir`.
Result<void> CheckTarget(const fs::path& target, const fs::path& dir) {
  if (LiesIn(target, dir)) {  // it would go when the model goes
    return tl::unexpected(
        Error{ErrorKind::kDenied,
              fmt::format("{} lies in the model itself: name a directory outside of it", target.string())});
  }
  if (const auto exists = Database::CheckExists(target); !exists)
    return exists.error().kind == ErrorKind::kMissing ? CheckVacant(target) : exists;
  return tl::unexpected(
      Error{ErrorKind::kDenied,
            fmt::format("there is a model at {}: name another directory for the backup", target.string())});
}

}  // namespace

Result<Backup> BackUp(const fs::path& dir, const fs::path& named) {
  if (auto exists = Database::CheckExists(dir); !exists) return tl::unexpected(exists.error());
  if (auto whole = Database::CheckLog(dir); !whole) return tl::unexpected(whole.error());
  const fs::path target = named.has_filename() ? named : named.parent_path();  // "a/b/" means "a/b"
  if (auto vacant = CheckTarget(target, dir); !vacant) return tl::unexpected(vacant.error());
  if (auto made = MakePrivateDirectory(target); !made) return tl::unexpected(made.error());
  const auto lock = WriterLock::Acquire(target, std::chrono::milliseconds(0));
  if (!lock) return tl::unexpected(lock.error());
  // Again, as another process may have made a model there before the lock was taken.
  if (auto vacant = CheckTarget(target, dir); !vacant) return tl::unexpected(vacant.error());
  auto backup = CopyDatabase(dir, UnfinishedPath(target));
  if (!backup) return backup;
  if (auto copied = CopyIfThere(ImagePath(dir), UnfinishedImagePath(target)); !copied)
    return tl::unexpected(copied.error());
  std::error_code error;
  fs::rename(UnfinishedPath(target), DatabasePath(target), error);
  if (error)
    return tl::unexpected(SystemError(error.value(), fmt::format("cannot create {}", target.string())));
  if (auto published = PublishImageOf(dir, target, &*backup); !published)
    return tl::unexpected(published.error());
  if (auto synced = SyncDirectory(target); !synced) return tl::unexpected(synced.error());
  if (auto synced = SyncDirectory(fs::absolute(target).parent_path()); !synced)
    return tl::unexpected(synced.error());
  return backup;
}

}  // namespace thresher::storage
