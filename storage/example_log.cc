#include "storage/example_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/kept_examples.h"
#include "storage/model_meta.h"
#include "storage/renumbering.h"

namespace thresher::storage {
namespace {

rocksdb::Status PutExample(const DatabaseImpl& impl, uint64_t seq, const Example& example,
                           rocksdb::WriteBatch* batch) {
  std::string number;
  AppendLittle(seq, &number);
  rocksdb::Status status =
      batch->Put(impl.family(Family::kExamples), ExampleKey(seq), EncodeExample(seq, example));
  if (!status.ok()) return status;
  return batch->Put(impl.family(Family::kIds), MessageKeyBytes(example.message_id, example.digest), number);
}

rocksdb::Status PutNotes(const DatabaseImpl& impl, const Notes& notes, rocksdb::WriteBatch* batch) {
  rocksdb::Status status;
  for (const auto& [name, value] : notes) {
    const std::string key = std::string(kNotePrefix) + name;
    rocksdb::ColumnFamilyHandle* const meta = impl.family(Family::kMeta);
    if (status.ok()) status = value.empty() ? batch->Delete(meta, key) : batch->Put(meta, key, value);
  }
  return status;
}

// The number of the example that a message key refers to.
Result<uint64_t> SeqOf(const DatabaseImpl& impl, std::string_view value) {
  if (value.size() != sizeof(uint64_t)) return tl::unexpected(impl.Corrupt("a message key"));
  return LoadLittle<uint64_t>(value.data());
}

Result<Example> Decoded(const DatabaseImpl& impl, uint64_t seq, std::string_view value) {
  auto example = DecodeExample(seq, value);
  if (example) return *std::move(example);
  return tl::unexpected(
      Error{ErrorKind::kCorrupt, fmt::format("{}: example {} does not match its checksum; `thresher rebuild "
                                             "--without-bad` makes the model again without it",
                                             impl.dir().string(), seq)});
}

}  // namespace

ExampleLog::ExampleLog(Database& database)
    : database_(&DatabaseAccess::ImplOf(database)), last_seq_(database_->last_seq()) {}

uint64_t ExampleLog::last_seq() const { return last_seq_; }

const LogExtent& ExampleLog::extent() const { return database_->log_extent(); }

void ExampleLog::SetExtent(const LogExtent& extent) { database_->set_log_extent(extent); }

void ExampleLog::KeepExpired(std::vector<uint64_t> seqs) { database_->set_needed_examples(std::move(seqs)); }

Result<uint64_t> ExampleLog::Append(const Example& example, const Notes& notes) {
  DatabaseImpl& impl = *database_;
  const size_t key_size = example.message_id.size() + example.digest.size();
  if (key_size > kLongestMessageKey) {
    return tl::unexpected(
        Error{ErrorKind::kMisuse, fmt::format("{}: a message key may be {} bytes long, not {}",
                                              impl.dir().string(), kLongestMessageKey, key_size)});
  }
  rocksdb::WriteBatch batch;
  auto status = PutExample(impl, last_seq_ + 1, example, &batch);
  if (status.ok()) status = PutNotes(impl, notes, &batch);
  if (!status.ok()) return tl::unexpected(impl.Failure(status));
  if (auto written = impl.Write(&batch, impl.durability() == Durability::kSync); !written) {
    return tl::unexpected(written.error());
  }
  return ++last_seq_;
}

Result<void> ExampleLog::WriteNotes(const Notes& notes) {
  rocksdb::WriteBatch batch;
  if (const auto status = PutNotes(*database_, notes, &batch); !status.ok())
    return tl::unexpected(database_->Failure(status));
  return database_->Write(&batch, /*sync=*/false);
}

Result<Notes> ExampleLog::ReadNotes() const {
  const DatabaseImpl& impl = *database_;
  const std::unique_ptr<rocksdb::Iterator> entry(
      impl.rocks().NewIterator(rocksdb::ReadOptions(), impl.family(Family::kMeta)));
  Notes notes;
  for (entry->Seek(kNotePrefix); entry->Valid() && entry->key().starts_with(kNotePrefix); entry->Next())
    notes.emplace(entry->key().ToStringView().substr(kNotePrefix.size()), entry->value().ToStringView());
  if (!entry->status().ok()) return tl::unexpected(impl.Failure(entry->status()));
  return notes;
}

Result<void> ExampleLog::Replace(std::span<const Example> examples, std::span<const MessageKeyText> forgotten,
                                 const LogExtent& extent) {
  DatabaseImpl& impl = *database_;
  rocksdb::WriteBatch batch;
  rocksdb::Status status;
  for (const MessageKeyText& key : forgotten) {
    if (status.ok())
      status = batch.Delete(impl.family(Family::kIds), MessageKeyBytes(key.message_id, key.digest));
  }
  for (const Example& example : examples) {
    if (status.ok())
      status = batch.Put(impl.family(Family::kExamples), ExampleKey(example.seq),
                         EncodeExample(example.seq, example));
  }
  if (status.ok()) status = batch.Put(std::string(kLogExtentKey), EncodeLogExtent(extent));
  if (status.ok()) status = batch.Put(std::string(kRewriteDueKey), std::string());
  if (!status.ok()) return tl::unexpected(impl.Failure(status));
  if (auto written = impl.Write(&batch, /*sync=*/true); !written) return written;
  impl.set_log_extent(extent);
  return impl.RewriteIfDue().map_error([](Error error) {
    error.message =
        "done, but the next writer must still rewrite the files that hold what was removed: " + error.message;
    return error;
  });
}

void ExampleLog::ForgetExpired() { database_->set_rewrite_due(); }

Result<uint64_t> ExampleLog::DropForgotten(const GlobalsAfter& globals) {
  const auto renumbered = RenumberExamples(*database_, *this, globals);
  if (!renumbered) return tl::unexpected(renumbered.error());
  last_seq_ = renumbered->last_seq;
  return renumbered->dropped;
}

Result<void> ExampleLog::Acknowledge() {
  DatabaseImpl& impl = *database_;
  if (impl.durability() == Durability::kOs) return {};
  if (auto synced = impl.WaitUntilSynced(); !synced) return synced;
  return impl.CheckPlace();
}

Result<void> ExampleLog::Read(uint64_t after, const std::function<bool(const Example&)>& visit,
                              const std::function<bool(uint64_t)>& may_be_unreadable) const {
  const DatabaseImpl& impl = *database_;
  if (after >= last_seq_) return {};
  const std::unique_ptr<rocksdb::Iterator> entry(
      impl.rocks().NewIterator(rocksdb::ReadOptions(), impl.family(Family::kExamples)));
  uint64_t expected = std::max(after + 1, impl.stored_first_seq());
  int64_t time_us = 0;
  for (entry->Seek(ExampleKey(expected)); entry->Valid(); entry->Next(), ++expected) {
    if (entry->key().size() != sizeof(uint64_t))
      return tl::unexpected(impl.Corrupt("the number of an example"));
    const auto seq = LoadBig<uint64_t>(entry->key().data());
    if (seq != expected) return tl::unexpected(impl.WhyMissing(expected));
    auto example = Decoded(impl, seq, entry->value().ToStringView());
    if (!example && may_be_unreadable && may_be_unreadable(seq)) {
      example = Example{.seq = seq, .time_us = time_us, .message_id = {}, .digest = {}, .features = {}};
    }
    if (!example) return tl::unexpected(example.error());
    time_us = example->time_us;
    if (!visit(*example)) return {};
  }
  if (!entry->status().ok()) return tl::unexpected(impl.Failure(entry->status()));
  return impl.CheckEndOfExamples(expected, last_seq_);
}

Result<std::optional<Example>> ExampleLog::Get(uint64_t seq) const {
  const auto value = seq < database_->stored_first_seq() ? ReadKept(*database_, seq)
                                                         : database_->Get(Family::kExamples, ExampleKey(seq));
  if (!value) return tl::unexpected(value.error());
  if (!*value) return std::nullopt;
  auto example = Decoded(*database_, seq, **value);
  if (!example) return tl::unexpected(example.error());
  return *std::move(example);
}

Result<std::optional<uint64_t>> ExampleLog::Find(std::string_view message_id, std::string_view digest) const {
  const auto value = database_->Get(Family::kIds, MessageKeyBytes(message_id, digest));
  if (!value) return tl::unexpected(value.error());
  if (!*value) return std::nullopt;
  const auto seq = SeqOf(*database_, **value);
  if (!seq) return tl::unexpected(seq.error());
  return *seq < extent().first_seq ? std::nullopt : std::optional(*seq);
}

Result<std::vector<std::string>> ExampleLog::DigestsOf(std::string_view message_id) const {
  const DatabaseImpl& impl = *database_;
  const std::string prefix = MessageKeyPrefix(message_id);
  const std::unique_ptr<rocksdb::Iterator> entry(
      impl.rocks().NewIterator(rocksdb::ReadOptions(), impl.family(Family::kIds)));
  std::vector<std::string> digests;
  for (entry->Seek(prefix); entry->Valid() && entry->key().starts_with(prefix); entry->Next()) {
    const auto seq = SeqOf(impl, entry->value().ToStringView());
    if (!seq) return tl::unexpected(seq.error());
    if (*seq < extent().first_seq) continue;
    digests.emplace_back(entry->key().ToStringView().substr(prefix.size()));
  }
  if (!entry->status().ok()) return tl::unexpected(impl.Failure(entry->status()));
  return digests;
}

}  // namespace thresher::storage
