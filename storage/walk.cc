#include "storage/walk.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/kept_examples.h"

namespace thresher::storage {
namespace {

constexpr size_t kReadAhead = size_t{2} << 20;

std::unique_ptr<rocksdb::Iterator> First(const Database& database, Family family) {
  rocksdb::ReadOptions options;
  options.readahead_size = kReadAhead;
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  std::unique_ptr<rocksdb::Iterator> entry(impl.rocks().NewIterator(options, impl.family(family)));
  entry->SeekToFirst();
  return entry;
}

Result<void> Ended(const Database& database, const rocksdb::Iterator& entry) {
  if (entry.status().ok()) return {};
  return tl::unexpected(DatabaseAccess::ImplOf(database).Failure(entry.status()));
}

std::optional<uint64_t> NumberOf(std::string_view key) {
  if (key.size() != sizeof(uint64_t)) return std::nullopt;
  return LoadBig<uint64_t>(key.data());
}

std::optional<std::string_view> ValueAt(const rocksdb::Iterator& entry, bool is_there) {
  if (!is_there) return std::nullopt;
  return entry.value().ToStringView();
}

// RocksDB's values may lie at any address; learners read rows as numbers, which must be aligned.
class AlignedCopy {
 public:
  std::string_view Of(std::string_view bytes) {
    words_.resize(bytes.size() / sizeof(uint64_t) + 1);
    if (!bytes.empty()) std::memcpy(words_.data(), bytes.data(), bytes.size());
    return {reinterpret_cast<const char*>(words_.data()), bytes.size()};
  }

 private:
  std::vector<uint64_t> words_;
};

StoredMessageKey MessageKeyAt(const rocksdb::Iterator& entry) {
  const std::string_view key = entry.key().ToStringView();
  const std::string_view value = entry.value().ToStringView();
  StoredMessageKey stored;
  if (key.size() < sizeof(uint16_t)) return stored;
  const std::string_view texts = key.substr(sizeof(uint16_t));
  const size_t size = LoadBig<uint16_t>(key.data());
  if (size > texts.size()) return stored;
  stored.message_id = texts.substr(0, size);
  stored.digest = texts.substr(size);
  if (value.size() == sizeof(uint64_t)) stored.seq = LoadLittle<uint64_t>(value.data());
  return stored;
}

}  // namespace

Result<void> WalkRows(const Database& database, const std::function<bool(const StoredRow&)>& visit) {
  const auto row = First(database, Family::kWeights);
  const auto text = First(database, Family::kTokens);
  AlignedCopy aligned;
  while (row->Valid() || text->Valid()) {
    // If one family ended early, the entries of the other would seem to have no counterpart.
    if (!row->status().ok() || !text->status().ok()) break;
    const int order = !row->Valid() ? 1 : !text->Valid() ? -1 : row->key().compare(text->key());
    const bool has_row = order <= 0;
    const bool has_text = order >= 0;
    const std::string_view key = (has_row ? row : text)->key().ToStringView();
    auto value = ValueAt(*row, has_row);
    if (value) value = aligned.Of(*value);
    if (!visit({NumberOf(key), value, ValueAt(*text, has_text)})) return {};
    if (has_row) row->Next();
    if (has_text) text->Next();
  }
  if (auto ended = Ended(database, *row); !ended) return ended;
  return Ended(database, *text);
}

Result<void> WalkExamples(const Database& database, const std::function<bool(const StoredExample&)>& visit) {
  const auto entry = First(database, Family::kExamples);
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  const uint64_t first_kept = impl.stored_first_seq();
  uint64_t next = first_kept;
  for (; entry->Valid(); entry->Next()) {
    StoredExample stored{NumberOf(entry->key().ToStringView()), std::nullopt};
    if (stored.seq && *stored.seq < first_kept) continue;  // expired, but not removed yet
    if (stored.seq && *stored.seq != next) {
      if (Error why = impl.WhyMissing(next); why.kind != ErrorKind::kCorrupt) return tl::unexpected(why);
    }
    if (stored.seq) {
      next = *stored.seq + 1;
      stored.example = DecodeExample(*stored.seq, entry->value().ToStringView());
    }
    if (!visit(stored)) return {};
  }
  if (auto ended = Ended(database, *entry); !ended) return ended;
  return impl.CheckEndOfExamples(next, impl.last_seq());
}

Result<void> WalkKeptExamples(const Database& database,
                              const std::function<bool(const StoredExample&)>& visit) {
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  const auto seqs = ReadKeptSeqs(impl);
  if (!seqs) return tl::unexpected(seqs.error());
  for (const uint64_t seq : *seqs) {
    const auto value = ReadKept(impl, seq);
    if (!value) return tl::unexpected(value.error());
    if (!visit({seq, *value ? DecodeExample(seq, **value) : std::nullopt})) return {};
  }
  return {};
}

Result<void> WalkMessageKeys(const Database& database,
                             const std::function<bool(const StoredMessageKey&)>& visit) {
  const auto entry = First(database, Family::kIds);
  for (; entry->Valid(); entry->Next()) {
    if (!visit(MessageKeyAt(*entry))) return {};
  }
  return Ended(database, *entry);
}

}  // namespace thresher::storage
