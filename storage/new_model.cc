#include "storage/new_model.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/kept_examples.h"
#include "storage/model_meta.h"
#include "storage/multi_get.h"
#include "storage/private_directory.h"
#include "storage/store_directory.h"
#include "storage/writer_lock.h"

namespace thresher::storage {
namespace {

constexpr size_t kBatchBytes = size_t{1} << 20;

Result<void> CheckNoModel(const std::filesystem::path& dir) {
  if (const auto exists = Database::CheckExists(dir); !exists)
    return exists.error().kind == ErrorKind::kMissing ? CheckVacant(dir) : exists;
  return tl::unexpected(Error{
      ErrorKind::kDenied,
      fmt::format("there is a model at {} already: choose another place for the new one", dir.string())});
}

}  // namespace

class NewModel::Impl {
 public:
  Impl(std::filesystem::path dir, WriterLock lock, std::unique_ptr<DatabaseImpl> database)
      : dir_(std::move(dir)), lock_(std::move(lock)), database_(std::move(database)) {}

  ~Impl() {
    database_.reset();
    std::error_code ignored;  // the next creation removes it
    std::filesystem::remove_all(UnfinishedPath(dir_), ignored);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> Put(Family family, std::string_view key, std::string_view value) {
    const auto status = batch_.Put(database_->family(family), rocksdb::Slice(key), rocksdb::Slice(value));
    if (!status.ok()) return tl::unexpected(database_->Failure(status));
    return batch_.GetDataSize() < kBatchBytes ? Result<void>() : Write();
  }

  std::vector<uint64_t> kept;  // numbers of the examples of PutKept

  Result<void> Finish() {
    if (!kept.empty()) {
      if (auto put = Put(Family::kMeta, kKeptKey, EncodeKeptSeqs(kept)); !put) return put;
    }
    if (auto written = Write(); !written) return written;
    if (auto compacted = database_->Compact(); !compacted) return compacted;
    database_.reset();
    return DatabaseImpl::Publish(dir_);
  }

 private:
  // Without a log: an interrupted import starts again from the beginning, and Finish writes everything to
  // files.
  Result<void> Write() {
    rocksdb::WriteOptions options;
    options.disableWAL = true;
    const auto status = database_->rocks().Write(options, &batch_);
    batch_.Clear();
    return status.ok() ? Result<void>() : database_->Fail(database_->Failure(status));
  }

  std::filesystem::path dir_;
  WriterLock lock_;
  std::unique_ptr<DatabaseImpl> database_;
  rocksdb::WriteBatch batch_;
};

NewModel::NewModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
NewModel::~NewModel() = default;

Result<std::unique_ptr<NewModel>> NewModel::Begin(const std::filesystem::path& dir) {
  if (auto none = CheckNoModel(dir); !none) return tl::unexpected(none.error());
  if (auto may = CheckMayMakeIn(dir.parent_path()); !may) return tl::unexpected(may.error());
  if (auto made = MakePrivateDirectory(dir); !made) return tl::unexpected(made.error());
  auto lock = WriterLock::Acquire(dir, std::chrono::milliseconds(0));
  if (!lock) return tl::unexpected(lock.error());
  // Again, as another process may have made one before the lock was taken.
  if (auto none = CheckNoModel(dir); !none) return tl::unexpected(none.error());
  auto database = DatabaseImpl::OpenUnfinished(dir);
  if (!database) return tl::unexpected(database.error());
  return std::unique_ptr<NewModel>(
      new NewModel(std::make_unique<Impl>(dir, *std::move(lock), *std::move(database))));
}

Result<void> NewModel::PutMeta(const Meta& meta) {
  for (const auto& [key, value] : MetaEntries(meta)) {
    if (auto put = impl_->Put(Family::kMeta, key, value); !put) return put;
  }
  return {};
}

Result<void> NewModel::PutState(std::string_view globals, uint64_t applied_seq, const LogExtent& extent) {
  std::string number;
  AppendLittle(applied_seq, &number);
  if (auto put = impl_->Put(Family::kMeta, kGlobalsKey, globals); !put) return put;
  if (extent != LogExtent{}) {
    if (auto put = impl_->Put(Family::kMeta, kLogExtentKey, EncodeLogExtent(extent)); !put) return put;
  }
  return impl_->Put(Family::kMeta, kAppliedSeqKey, number);
}

Result<void> NewModel::PutRow(uint64_t id, std::string_view row, std::string_view text) {
  const IdKey key(id);
  if (auto put = impl_->Put(Family::kWeights, key.slice().ToStringView(), row); !put || text.empty())
    return put;
  return impl_->Put(Family::kTokens, key.slice().ToStringView(), text);
}

Result<void> NewModel::PutExample(const Example& example) {
  std::string number;
  AppendLittle(example.seq, &number);
  const std::string message_key = MessageKeyBytes(example.message_id, example.digest);
  auto put = IsForgotten(example) ? Result<void>() : impl_->Put(Family::kIds, message_key, number);
  if (!put) return put;
  return impl_->Put(Family::kExamples, ExampleKey(example.seq), EncodeExample(example.seq, example));
}

Result<void> NewModel::PutKept(const Example& example) {
  impl_->kept.push_back(example.seq);
  return impl_->Put(Family::kMeta, KeptKey(example.seq), EncodeExample(example.seq, example));
}

Result<void> NewModel::Finish() { return impl_->Finish(); }

}  // namespace thresher::storage
