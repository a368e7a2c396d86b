#include "storage/database.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/model_meta.h"
#include "storage/private_directory.h"
#include "storage/score_image.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// How long a reader tries to open the model at a moment when no writer replaces files. One try takes
// milliseconds, and so does the pause: where there were few tries, this process stood still, and may try on.
constexpr auto kLongestCatching = std::chrono::seconds(10);
constexpr int kFewTries = 100;
constexpr auto kPauseOfReader = std::chrono::milliseconds(2);

// Whether `dir` has a model that this process may write to.
Result<bool> HasModelToWrite(const fs::path& dir) {
  const auto exists = Database::CheckExists(dir);
  if (exists) return true;
  Error error = exists.error();
  if (error.kind == ErrorKind::kMissing) return false;
  if (error.kind == ErrorKind::kUnreadable) error.kind = ErrorKind::kDenied;
  return tl::unexpected(std::move(error));
}

}  // namespace

Database::Database(std::unique_ptr<DatabaseImpl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::OpenOrCreate(const fs::path& dir, const Meta& meta,
                                                         Durability durability,
                                                         std::chrono::milliseconds wait,
                                                         const OnWait& on_wait) {
  auto has_model = HasModelToWrite(dir);
  if (!has_model) return tl::unexpected(has_model.error());
  if (!*has_model) {
    if (auto vacant = CheckVacant(dir); !vacant) return tl::unexpected(vacant.error());
    if (auto may = CheckMayMakeIn(dir.parent_path()); !may) return tl::unexpected(may.error());
    if (auto made = MakePrivateDirectory(dir); !made) return tl::unexpected(made.error());
  }
  auto lock = WriterLock::Acquire(dir, wait, on_wait);
  if (!lock) return tl::unexpected(lock.error());
  has_model = HasModelToWrite(dir);
  if (!has_model) return tl::unexpected(has_model.error());
  if (!*has_model) {  // no other process made it while this one waited
    if (auto created = DatabaseImpl::Create(dir, meta); !created) return tl::unexpected(created.error());
  }
  auto impl = DatabaseImpl::OpenForWriting(dir, *std::move(lock), durability);
  if (!impl) return tl::unexpected(impl.error());
  return std::unique_ptr<Database>(new Database(*std::move(impl)));
}

// A reader reads the list of files, then the files, then the log; a writer may flush and remove files in
// between. What was opened, or could not be opened, is the state of one moment only if no file became
// obsolete meanwhile.
Result<std::unique_ptr<Database>> Database::OpenForReading(const fs::path& dir) {
  if (auto exists = CheckExists(dir); !exists) return tl::unexpected(exists.error());
  if (auto own = CheckReadableStore(dir); !own) return tl::unexpected(own.error());
  const auto deadline = Clock::now() + kLongestCatching;
  for (int tries = 1;; ++tries, std::this_thread::sleep_for(kPauseOfReader)) {
    const std::string before = StateName(dir);
    auto impl = DatabaseImpl::OpenForReading(dir);
    if (StateName(dir) == before) {
      if (impl) return std::unique_ptr<Database>(new Database(*std::move(impl)));
      Error error = impl.error();
      if (error.kind == ErrorKind::kDenied) error.kind = ErrorKind::kUnreadable;
      return tl::unexpected(std::move(error));
    }
    if (tries >= kFewTries && Clock::now() > deadline) break;
  }
  return tl::unexpected(Error{
      ErrorKind::kBusy, fmt::format("{} is being rewritten all the time: try again later", dir.string())});
}

Result<void> Database::CheckLog(const fs::path& dir) {
  const auto reader = OpenForReading(dir);
  if (!reader) return tl::unexpected(reader.error());
  const auto synced = (*reader)->impl_->LargestSyncedChange();
  if (!synced) return tl::unexpected(synced.error());
  if (*synced <= (*reader)->impl_->last_change()) return {};
  // A running writer may have written these changes since this reader opened.
  const auto again = OpenForReading(dir);
  if (!again) return tl::unexpected(again.error());
  if (*synced <= (*again)->impl_->last_change()) return {};
  const uint64_t last = (*again)->impl_->last_seq();
  const uint64_t last_unread = (*again)->impl_->LastUnreadExample();
  const std::string lost =
      last_unread > last ? fmt::format("examples {} to {}", last + 1, last_unread) : "later changes";
  return tl::unexpected(Error{
      ErrorKind::kCorrupt,
      fmt::format("{}: the log is damaged after example {}: {} that were on disk cannot be read. Restore "
                  "a backup, or drop them with `thresher check --cut-log`",
                  dir.string(), last, lost)});
}

Result<Database::GivenUp> Database::GiveUpLostExamples(const fs::path& dir, std::chrono::milliseconds wait,
                                                       const OnWait& on_wait) {
  if (auto exists = CheckExists(dir); !exists) return tl::unexpected(exists.error());
  auto lock = WriterLock::Acquire(dir, wait, on_wait);
  if (!lock) return tl::unexpected(lock.error());
  // Before a writer opens it: RocksDB then removes a log of which nothing can be used.
  const auto reader = OpenForReading(dir);
  if (!reader) return tl::unexpected(reader.error());
  const uint64_t last_unread = (*reader)->impl_->LastUnreadExample();
  const auto impl = DatabaseImpl::OpenForWriting(dir, *std::move(lock), Durability::kSync, /*give_up=*/true);
  if (!impl) return tl::unexpected(impl.error());
  if (auto begun = (*impl)->BeginLogAnew(); !begun) return tl::unexpected(begun.error());
  const uint64_t last = (*impl)->last_seq();
  return GivenUp{last, last_unread > last ? last_unread : 0};
}

Result<void> Database::CheckExists(const fs::path& dir) {
  struct stat status {};
  int reason = ::stat(DatabasePath(dir).c_str(), &status) == 0 ? 0 : errno;
  if (reason == 0 && !S_ISDIR(status.st_mode)) reason = ENOTDIR;
  if (reason == 0) return {};
  if (reason == ENOENT && HasLostItsDatabase(dir)) {
    return tl::unexpected(Error{ErrorKind::kCorrupt,
                                fmt::format("{} is missing: restore a backup, or remove {} and teach again",
                                            DatabasePath(dir).string(), dir.string())});
  }
  if (reason == ENOENT)
    return tl::unexpected(Error{ErrorKind::kMissing, fmt::format("there is no model at {}", dir.string())});
  return tl::unexpected(CannotRead(reason, dir));
}

const Meta& Database::meta() const { return impl_->meta(); }

Result<void> Database::AddText(std::string_view name, const std::string& text) {
  Meta meta = impl_->meta();
  meta.emplace(name, text);
  rocksdb::WriteBatch batch;
  rocksdb::Status status;
  for (const auto& [key, value] : MetaEntries(meta)) {
    if (status.ok()) status = batch.Put(impl_->family(Family::kMeta), key, value);
  }
  if (!status.ok()) return tl::unexpected(impl_->Failure(status));
  if (auto written = impl_->Write(&batch, /*sync=*/true); !written) return written;
  impl_->set_meta(meta);
  impl_->ForgetImage();
  return impl_->WithdrawImage();
}

Result<std::string> Database::ReadGlobals() const {
  auto globals = impl_->Get(Family::kMeta, kGlobalsKey);
  if (!globals) return tl::unexpected(globals.error());
  return (*globals).value_or("");
}

Result<uint64_t> Database::ReadAppliedSeq() const {
  const auto bytes = impl_->Get(Family::kMeta, kAppliedSeqKey);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!*bytes) return 0;
  if ((*bytes)->size() != sizeof(uint64_t))
    return tl::unexpected(impl_->Corrupt("the applied sequence number"));
  return LoadLittle<uint64_t>((*bytes)->data());
}

Result<Database::Sizes> Database::ReadSizes() const {
  Sizes sizes;
  for (size_t i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    sizes.parts.emplace(kFamilyNames[i], impl_->Property(family, rocksdb::DB::Properties::kLiveSstFilesSize));
  }
  const auto total = TotalsOfFiles(impl_->dir(), "");
  if (!total) return tl::unexpected(total.error());
  sizes.total = total->bytes;
  uint64_t& image = sizes.parts["image"];
  for (const fs::path& path : {ImagePath(impl_->dir()), ImageChangesPath(impl_->dir())}) {
    std::error_code none;
    const auto size = fs::file_size(path, none);
    image += none ? 0 : size;
  }
  sizes.total += image;
  return sizes;
}

Result<void> Database::Compact() { return impl_->Compact(); }

}  // namespace thresher::storage
