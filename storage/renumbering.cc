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

// Reads the examples from `first` to `last`, and fails if one is damaged.
class ExampleReader {
 public:
  ExampleReader(const DatabaseImpl& impl, uint64_t first, uint64_t last)
      : impl_(&impl),
        next_(first),
        last_(last),
        entry_(impl.rocks().NewIterator(rocksdb::ReadOptions(), impl.family(Family::kExamples))) {
    entry_->Seek(ExampleKey(first));
  }

  // Nothing at the end.
  Result<std::optional<Example>> Next() {
    if (!entry_->Valid()) {
      if (!entry_->status().ok()) return tl::unexpected(impl_->Failure(entry_->status()));
      if (auto ended = impl_->CheckEndOfExamples(next_, last_); !ended) return tl::unexpected(ended.error());
      return std::nullopt;
    }
    if (entry_->key().size() != sizeof(uint64_t))
      return tl::unexpected(impl_->Corrupt("the number of an example"));
    const auto seq = LoadBig<uint64_t>(entry_->key().data());
    if (seq != next_) return tl::unexpected(impl_->WhyMissing(next_));
    auto example = DecodeExample(seq, entry_->value().ToStringView());
    if (!example) return tl::unexpected(impl_->Corrupt(fmt::format("example {}", seq)));
    entry_->Next();
    next_ = seq + 1;
    return example;
  }

 private:
  const DatabaseImpl* impl_;
  uint64_t next_;
  uint64_t last_;
  std::unique_ptr<rocksdb::Iterator> entry_;
};

// The forgotten examples; the extent without them.
Result<Numbering> FindForgotten(const DatabaseImpl& impl, uint64_t last_seq, LogExtent* extent) {
  Numbering numbering;
  ExampleReader reader(impl, impl.stored_first_seq(), last_seq);
  uint64_t kept = 0;
  uint64_t last_bytes = 0;
  while (true) {
    const auto example = reader.Next();
    if (!example) return tl::unexpected(example.error());
    if (!*example) break;
    if (!IsForgotten(**example)) {
      ++kept;
      continue;
    }
    numbering.Drop((*example)->seq);
    last_bytes = LoggedBytes(**example);
    extent->bytes -= last_bytes;
  }
  const bool would_be_empty = kept == 0 && !numbering.dropped().empty();
  if (would_be_empty && extent->first_seq > 1) {
    numbering.KeepLast();
    extent->bytes += last_bytes;
  }
  return numbering;
}

rocksdb::Status WriteExamples(const DatabaseImpl& impl, const Numbering& numbering, uint64_t last_seq,
                              std::optional<Error>* failure, rocksdb::SstFileWriter& file) {
  const std::vector<uint64_t>& dropped = numbering.dropped();
  ExampleReader reader(impl, dropped.front(), last_seq);
  rocksdb::Status status;
  while (status.ok()) {
    const auto example = reader.Next();
    if (!example) *failure = example.error();
    if (!example || !*example) break;
    const uint64_t seq = (*example)->seq;
    if (numbering.IsDropped(seq)) continue;
    const uint64_t number = numbering.NumberOf(seq);
    status = file.Put(ExampleKey(number), EncodeExample(number, **example));
  }
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

Result<Renumbered> RenumberExamples(DatabaseImpl& impl, uint64_t last_seq, const GlobalsAfter& globals) {
  LogExtent extent = impl.log_extent();
  const auto numbering = FindForgotten(impl, last_seq, &extent);
  if (!numbering) return tl::unexpected(numbering.error());
  const uint64_t count = numbering->dropped().size();
  if (count == 0) return Renumbered{.dropped = 0, .last_seq = last_seq};
  if (auto flushed = impl.Flush(/*wait=*/true); !flushed) return tl::unexpected(flushed.error());
  TableFiles files(impl);
  std::optional<Error> failure;
  auto made = files.Begin();
  if (made) {
    made = files.Write(Family::kExamples, [&](rocksdb::SstFileWriter& file) {
      return WriteExamples(impl, *numbering, last_seq, &failure, file);
    });
  }
  if (made && failure) made = tl::unexpected(*failure);
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
