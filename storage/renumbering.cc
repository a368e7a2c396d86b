#include "storage/renumbering.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/byte_order.h"
#include "storage/example_codec.h"
#include "storage/model_meta.h"
#include "storage/score_image.h"
#include "storage/table_files.h"

namespace thresher::storage {
namespace {

// Which examples go, and the numbers of the others afterwards.
class Numbering {
 public:
  void Drop(uint64_t seq) { dropped_.push_back(seq); }  // ascending
  // The last one stays after all.
  void KeepLast() { dropped_.pop_back(); }
  const std::vector<uint64_t>& dropped() const { return dropped_; }
  bool IsDropped(uint64_t seq) const { return std::ranges::binary_search(dropped_, seq); }
  uint64_t NumberOf(uint64_t seq) const {
    const auto below = std::lower_bound(dropped_.begin(), dropped_.end(), seq) - dropped_.begin();
    return seq - static_cast<uint64_t>(below);
  }

 private:
  std::vector<uint64_t> dropped_;
};

// The forgotten examples; the extent without them.
Result<Numbering> FindForgotten(const ExampleLog& log, LogExtent* extent) {
  Numbering numbering;
  uint64_t kept = 0;
  uint64_t last_bytes = 0;
  const auto read = log.Read(0, [&](const Example& example) {
    if (!IsForgotten(example)) {
      ++kept;
      return true;
    }
    numbering.Drop(example.seq);
    last_bytes = LoggedBytes(example);
    extent->bytes -= last_bytes;
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  const bool would_be_empty = kept == 0 && !numbering.dropped().empty();
  if (would_be_empty && extent->first_seq > 1) {
    numbering.KeepLast();
    extent->bytes += last_bytes;
  }
  return numbering;
}

rocksdb::Status WriteExamples(const ExampleLog& log, const Numbering& numbering, Result<void>* read,
                              rocksdb::SstFileWriter& file) {
  const std::vector<uint64_t>& dropped = numbering.dropped();
  const uint64_t last_seq = log.last_seq();
  rocksdb::Status status;
  *read = log.Read(dropped.front(), [&](const Example& example) {
    if (numbering.IsDropped(example.seq)) return true;
    const uint64_t number = numbering.NumberOf(example.seq);
    status = file.Put(ExampleKey(number), EncodeExample(number, example));
    return status.ok();
  });
  for (uint64_t seq = last_seq + 1 - dropped.size(); seq <= last_seq && status.ok(); ++seq)
    status = file.Delete(ExampleKey(seq));
  return status;
}

// Those of expired examples stay as they are: their numbers come before all others.
rocksdb::Status WriteIds(const DatabaseImpl& impl, const Numbering& numbering, rocksdb::SstFileWriter& file) {
  const std::unique_ptr<rocksdb::Iterator> entry(
      impl.rocks().NewIterator(rocksdb::ReadOptions(), impl.family(Family::kIds)));
  rocksdb::Status status;
  for (entry->SeekToFirst(); entry->Valid() && status.ok(); entry->Next()) {
    if (entry->value().size() != sizeof(uint64_t)) return rocksdb::Status::Corruption("a message key");
    const auto seq = LoadLittle<uint64_t>(entry->value().data());
    const uint64_t number = numbering.NumberOf(seq);
    if (number == seq) continue;
    std::string value;
    AppendLittle(number, &value);
    status = file.Put(entry->key(), value);
  }
  return status.ok() ? entry->status() : status;
}

rocksdb::Status WriteMeta(const Numbering& numbering, uint64_t last_seq, const LogExtent& extent,
                          const GlobalsAfter& globals, rocksdb::SstFileWriter& file) {
  MetaChanges changes;
  AppendLittle(last_seq - numbering.dropped().size(), &changes[std::string(kAppliedSeqKey)].emplace());
  changes[std::string(kLogExtentKey)] = EncodeLogExtent(extent);
  const std::vector<std::byte> bytes =
      globals([&](uint64_t seq) { return numbering.IsDropped(seq) ? 0 : numbering.NumberOf(seq); });
  changes[std::string(kGlobalsKey)].emplace(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  rocksdb::Status status;
  for (const auto& [key, value] : changes) {
    if (status.ok()) status = file.Put(key, *value);
  }
  return status;
}

}  // namespace

Result<Renumbered> RenumberExamples(DatabaseImpl& impl, const ExampleLog& log, const GlobalsAfter& globals) {
  const uint64_t last_seq = log.last_seq();
  LogExtent extent = impl.log_extent();
  const auto numbering = FindForgotten(log, &extent);
  if (!numbering) return tl::unexpected(numbering.error());
  const uint64_t count = numbering->dropped().size();
  if (count == 0) return Renumbered{.dropped = 0, .last_seq = last_seq};
  if (auto flushed = impl.Flush(/*wait=*/true); !flushed) return tl::unexpected(flushed.error());
  TableFiles files(impl);
  Result<void> read;
  auto made = files.Begin();
  if (made) {
    made = files.Write(Family::kExamples, [&](rocksdb::SstFileWriter& file) {
      return WriteExamples(log, *numbering, &read, file);
    });
  }
  if (made) made = read;
  if (made)
    made = files.Write(Family::kIds,
                       [&](rocksdb::SstFileWriter& file) { return WriteIds(impl, *numbering, file); });
  if (made) {
    made = files.Write(Family::kMeta, [&](rocksdb::SstFileWriter& file) {
      return WriteMeta(*numbering, last_seq, extent, globals, file);
    });
  }
  if (!made) return tl::unexpected(impl.Fail(made.error()).error());
  // It has the number of an example that will have another one, or none.
  if (auto withdrawn = impl.WithdrawImage(); !withdrawn)
    return tl::unexpected(impl.Fail(withdrawn.error()).error());
  impl.ForgetImage();
  if (auto taken = files.TakeIn(); !taken) return tl::unexpected(taken.error());
  impl.set_log_extent(extent);
  impl.set_last_seq(last_seq - count);
  if (auto rewritten = impl.RewriteExamples(); !rewritten) return tl::unexpected(rewritten.error());
  return Renumbered{.dropped = count, .last_seq = last_seq - count};
}

}  // namespace thresher::storage
