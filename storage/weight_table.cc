#include "storage/weight_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "storage/byte_order.h"
#include "storage/checkpoint.h"
#include "storage/database_impl.h"
#include "storage/multi_get.h"
#include "storage/publish_image.h"
#include "storage/resident_row.h"
#include "storage/row_slots.h"
#include "storage/text_arena.h"

namespace thresher::storage {
namespace {

constexpr size_t kPrefetchAhead = 32;
// In the time that one row is looked up on disk, some four are read in order.
constexpr uint64_t kRowsPerLookup = 4;
constexpr size_t kFewLookups = size_t{1} << 16;
constexpr size_t kReadAhead = size_t{2} << 20;
constexpr size_t kShareOfSweep = 4;  // 1/4 of the budget is for the dead rows that a sweep brings in

}  // namespace

class WeightTable::Impl {
 public:
  Impl(Database::Impl& database, size_t row_bytes);

  Result<void> LoadAll();
  void StartOver(size_t row_bytes, const Meta& meta);
  Result<void> Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows);
  void Touch(std::span<const uint64_t> ids, const std::function<std::string_view(size_t)>& text_of,
             std::vector<std::byte*>* rows);
  Result<uint64_t> Sweep(const RowTest& is_live);
  Result<CheckpointCounts> Checkpoint(std::span<const std::byte> globals, uint64_t applied_seq,
                                      const RowTest& is_live, const RowTest& weighs);
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;

  const RowSlots& rows() const { return rows_; }
  RowSlots& rows() { return rows_; }
  size_t memory_bytes() const { return rows_.memory_bytes() + texts_.memory_bytes(); }
  void SetBudget(size_t bytes) { budget_ = bytes; }

 private:
  // Where an id of the last Find is: its slot, or that it had none. Touch need not look for it again, and can
  // tell whether it was asked for the same ids.
  class Place {
   public:
    Place() = default;
    static Place At(size_t slot) { return Place(slot << 1); }
    static Place Absent(uint64_t id) { return Place((id << 1) | 1); }
    bool is_absent() const { return (word_ & 1) != 0; }
    size_t slot() const { return word_ >> 1; }
    friend bool operator==(Place, Place) = default;

   private:
    explicit Place(uint64_t word) : word_(word) {}
    uint64_t word_ = 0;
  };

  // REQUIRES: no row is changed.
  void Evict();
  // Looks in memory only; fills places_ and absent_.
  void Locate(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows);
  Result<void> FaultIn(std::span<const uint64_t> ids);
  bool PaysToLoadAll() const;
  uint64_t StoredRows() const;
  template <class Visit>
  Result<void> WalkStored(const Visit& visit) const;
  // For the absent ids of the last Find.
  void MakeRoom(std::span<const uint64_t> ids);
  void RequireFound(uint64_t id, Place place) const;
  Result<void> Keep(uint64_t id, std::string_view stored);

  Database::Impl* database_;
  RowSlots rows_;
  TextArena texts_;
  std::vector<Place> places_;
  size_t absent_ = 0;  // of places_
  std::vector<uint64_t> missing_;
  bool complete_ = false;
  size_t looked_up_ = 0;  // on disk, since not all is in memory
  uint64_t seen_ = 0;     // rows when all of them were last looked at
  size_t budget_ = 0;
  std::optional<Meta> new_meta_;  // of a model begun again, until its first checkpoint
};

WeightTable::Impl::Impl(Database::Impl& database, size_t row_bytes) : database_(&database), rows_(row_bytes) {
  const std::unique_ptr<rocksdb::Iterator> first(
      database.rocks().NewIterator(rocksdb::ReadOptions(), database.family(Family::kWeights)));
  first->SeekToFirst();
  complete_ = first->status().ok() && !first->Valid();
}

Result<void> WeightTable::Impl::LoadAll() {
  if (complete_) return {};
  places_.clear();
  const uint64_t at_least = StoredRows() / 2;
  if (at_least > rows_.size()) rows_.Reserve(at_least - rows_.size());
  auto kept = WalkStored([this](uint64_t id, std::string_view row) { return Keep(id, row); });
  if (!kept) return kept;
  complete_ = true;
  looked_up_ = 0;
  return {};
}

// No fewer than there are, but for what came since the last flush: rows that were written again count twice
// until a compaction. RocksDB's own estimate knows nothing of files that it has not read yet.
uint64_t WeightTable::Impl::StoredRows() const {
  const uint64_t bytes = database_->Property(Family::kWeights, rocksdb::DB::Properties::kLiveSstFilesSize);
  return std::max(seen_, bytes / (sizeof(uint64_t) + rows_.row_bytes()));
}

// visit(id, row) for each row on disk, until it fails. Rows may lie at any address.
template <class Visit>
Result<void> WeightTable::Impl::WalkStored(const Visit& visit) const {
  rocksdb::ReadOptions options;
  options.readahead_size = kReadAhead;
  const std::unique_ptr<rocksdb::Iterator> entry(
      database_->rocks().NewIterator(options, database_->family(Family::kWeights)));
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    if (entry->key().size() != sizeof(uint64_t)) return tl::unexpected(database_->Corrupt("the id of a row"));
    const std::string_view row = entry->value().ToStringView();
    if (auto visited = visit(LoadBig<uint64_t>(entry->key().data()), row); !visited) return visited;
  }
  if (!entry->status().ok()) return tl::unexpected(database_->Failure(entry->status()));
  return {};
}

Result<uint64_t> WeightTable::Impl::Sweep(const RowTest& is_live) {
  if (complete_) return rows_.size();
  places_.clear();
  uint64_t rows = 0;
  // Of its own: where a checkpoint is due for want of memory, the budget is used up.
  const size_t room = budget_ / kShareOfSweep / (sizeof(RowSlots::Entry) + rows_.row_bytes());
  size_t brought = 0;
  std::vector<uint64_t> aligned(rows_.row_bytes() / sizeof(uint64_t));
  auto* const bytes = reinterpret_cast<std::byte*>(aligned.data());
  auto swept = WalkStored([&](uint64_t id, std::string_view stored) -> Result<void> {
    ++rows;
    size_t slot = rows_.Find(id);
    if (slot == RowSlots::kNone) {
      if (budget_ > 0 && brought > room) return {};
      if (stored.size() != rows_.row_bytes()) return Keep(id, stored);  // which says what is wrong
      std::memcpy(bytes, stored.data(), stored.size());
      if (is_live(bytes)) return {};
      if (auto kept = Keep(id, stored); !kept) return kept;
      ++brought;
      slot = rows_.Find(id);
    } else if (is_live(rows_[slot].row())) {
      return {};
    }
    rows_[slot].state |= kChanged;
    return {};
  });
  if (!swept) return tl::unexpected(swept.error());
  return seen_ = rows;
}

void WeightTable::Impl::StartOver(size_t row_bytes, const Meta& meta) {
  rows_ = RowSlots(row_bytes);
  texts_.Clear();
  places_.clear();
  complete_ = true;
  seen_ = 0;
  new_meta_ = meta;
}

// A row already resident may have changed since it was stored: it stays.
Result<void> WeightTable::Impl::Keep(uint64_t id, std::string_view stored) {
  if (stored.size() != rows_.row_bytes()) {
    return tl::unexpected(database_->Corrupt(
        fmt::format("the row of {:016x} has {} bytes, not {}", id, stored.size(), rows_.row_bytes())));
  }
  if (rows_.Find(id) != RowSlots::kNone) return {};
  rows_.Reserve(1);
  const size_t slot = rows_.Insert(id, kResident | kStored);
  std::memcpy(rows_[slot].row(), stored.data(), stored.size());
  return {};
}

void WeightTable::Impl::Locate(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) {
  places_.resize(ids.size());
  rows->resize(ids.size());
  absent_ = 0;
  for (size_t i = 0; i < std::min(kPrefetchAhead, ids.size()); ++i) rows_.Prefetch(ids[i]);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kPrefetchAhead < ids.size()) rows_.Prefetch(ids[i + kPrefetchAhead]);
    const size_t slot = rows_.Find(ids[i]);
    const bool is_absent = slot == RowSlots::kNone;
    absent_ += is_absent ? 1 : 0;
    places_[i] = is_absent ? Place::Absent(ids[i]) : Place::At(slot);
    (*rows)[i] = is_absent ? nullptr : rows_[slot].row();
  }
}

Result<void> WeightTable::Impl::Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) {
  Locate(ids, rows);
  if (complete_ || absent_ == 0) return {};
  looked_up_ += absent_;
  if (PaysToLoadAll()) {
    auto loaded = LoadAll();
    if (loaded) Locate(ids, rows);
    return loaded;
  }
  const size_t before = rows_.size();
  if (auto faulted = FaultIn(ids); !faulted) {
    places_.clear();  // what is absent is not known
    return faulted;
  }
  if (rows_.size() != before) Locate(ids, rows);
  return {};
}

// Whoever has paid by single rows about what all of them cost will go on to; if there is room for them, and
// for more to come: else they would soon be evicted, and loaded, and evicted.
bool WeightTable::Impl::PaysToLoadAll() const {
  if (looked_up_ < kFewLookups) return false;
  const uint64_t stored = StoredRows();
  return looked_up_ > stored / kRowsPerLookup &&
         (budget_ == 0 || rows_.BytesFor(stored + stored / 4) <= budget_);
}

// Absent ids are not remembered: a stream of messages brings new ones without end, and a filter in memory
// answers for most of them.
Result<void> WeightTable::Impl::FaultIn(std::span<const uint64_t> ids) {
  missing_.clear();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (places_[i].is_absent()) missing_.push_back(ids[i]);
  }
  return MultiGet(*database_, Family::kWeights, missing_,
                  [this](uint64_t id, std::string_view row) { return Keep(id, row); });
}

void WeightTable::Impl::Touch(std::span<const uint64_t> ids,
                              const std::function<std::string_view(size_t)>& text_of,
                              std::vector<std::byte*>* rows) {
  MakeRoom(ids);
  rows->resize(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    RequireFound(ids[i], places_[i]);
    if (places_[i].is_absent()) {
      const size_t twin = rows_.Find(ids[i]);  // made just now, if the id is repeated
      places_[i] =
          Place::At(twin != RowSlots::kNone ? twin : rows_.Insert(ids[i], NewRow(texts_.Add(text_of(i)))));
    }
    RowSlots::Entry& entry = rows_[places_[i].slot()];
    entry.state |= kChanged;
    (*rows)[i] = entry.row();
  }
  absent_ = 0;
}

void WeightTable::Impl::MakeRoom(std::span<const uint64_t> ids) {
  if (places_.size() != ids.size()) std::abort();  // as RequireFound
  if (rows_.HasRoom(absent_)) return;
  for (size_t i = 0; i < ids.size(); ++i) RequireFound(ids[i], places_[i]);
  rows_.Reserve(absent_);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!places_[i].is_absent()) places_[i] = Place::At(rows_.Find(ids[i]));
  }
}

// For other ids than Find was asked for, stored rows would be taken for new ones and overwritten.
void WeightTable::Impl::RequireFound(uint64_t id, Place place) const {
  const bool found = place.is_absent() ? place == Place::Absent(id) : rows_[place.slot()].id == id;
  if (!found) std::abort();
}

Result<WeightTable::CheckpointCounts> WeightTable::Impl::Checkpoint(std::span<const std::byte> globals,
                                                                    uint64_t applied_seq,
                                                                    const RowTest& is_live,
                                                                    const RowTest& weighs) {
  places_.clear();
  const auto image = complete_ ? std::nullopt : CurrentImage(*database_);
  if (!image) {
    if (auto loaded = LoadAll(); !loaded) return tl::unexpected(loaded.error());
  }
  const Meta* new_meta = new_meta_ ? &*new_meta_ : nullptr;
  auto counts = WriteCheckpoint(
      *database_, {new_meta, complete_, image ? &*image : nullptr, globals, applied_seq, is_live, weighs},
      &rows_, &texts_);
  if (counts) new_meta_.reset();
  if (counts && budget_ > 0 && memory_bytes() > budget_) Evict();
  return counts;
}

// What is kept comes in the order of its hashes: room for all of it at once, or it would crowd at the
// beginning of a table that grows.
void WeightTable::Impl::Evict() {
  const auto is_recent = [](const RowSlots::Entry& entry) { return (entry.state & kRecent) != 0; };
  size_t recent = 0;
  rows_.ForEach([&](const RowSlots::Entry& entry) { recent += is_recent(entry) ? 1 : 0; });
  RowSlots kept(rows_.row_bytes());
  if (kept.BytesFor(recent) <= budget_ / 2) {
    kept.Reserve(recent);
    rows_.ForEach([&](const RowSlots::Entry& entry) {
      if (!is_recent(entry)) return;
      std::memcpy(kept[kept.Insert(entry.id, kResident | kStored)].row(), entry.row(), kept.row_bytes());
    });
  }
  if (complete_) seen_ = rows_.size();
  rows_ = std::move(kept);
  complete_ = false;
}

Result<std::vector<std::string>> WeightTable::Impl::Texts(std::span<const uint64_t> ids) const {
  std::unordered_map<uint64_t, std::string> stored;
  auto got = MultiGet(*database_, Family::kTokens, ids,
                      [&stored](uint64_t id, std::string_view text) -> Result<void> {
                        stored.emplace(id, text);
                        return {};
                      });
  if (!got) return tl::unexpected(got.error());
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const uint64_t id : ids) {
    const size_t slot = rows_.Find(id);
    const uint64_t handle = slot == RowSlots::kNone ? 0 : TextHandle(rows_[slot].state);
    texts.emplace_back(handle != 0 ? texts_.Get(handle) : std::string_view(stored[id]));
  }
  return texts;
}

WeightTable::WeightTable(Database& database, size_t row_bytes)
    : impl_(std::make_unique<Impl>(database.impl(), row_bytes)) {}

WeightTable::~WeightTable() = default;

Result<void> WeightTable::LoadAll() { return impl_->LoadAll(); }

void WeightTable::SetBudget(size_t bytes) { impl_->SetBudget(bytes); }

void WeightTable::StartOver(size_t row_bytes, const Meta& meta) { impl_->StartOver(row_bytes, meta); }

Result<void> WeightTable::Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) {
  return impl_->Find(ids, rows);
}

void WeightTable::Touch(std::span<const uint64_t> ids, const std::function<std::string_view(size_t)>& text_of,
                        std::vector<std::byte*>* rows) {
  impl_->Touch(ids, text_of, rows);
}

void WeightTable::ForEach(const std::function<void(uint64_t id, const std::byte* row)>& visit) const {
  std::as_const(*impl_).rows().ForEach(
      [&visit](const RowSlots::Entry& entry) { visit(entry.id, entry.row()); });
}

void WeightTable::ForEachMutable(const std::function<void(std::byte* row)>& visit) {
  RowSlots& rows = impl_->rows();
  std::vector<std::byte> before(rows.row_bytes());
  rows.ForEach([&](RowSlots::Entry& entry) {
    std::memcpy(before.data(), entry.row(), before.size());
    visit(entry.row());
    if (std::memcmp(before.data(), entry.row(), before.size()) != 0) entry.state |= kChanged;
  });
}

Result<uint64_t> WeightTable::Sweep(const RowTest& is_live) { return impl_->Sweep(is_live); }

Result<WeightTable::CheckpointCounts> WeightTable::Checkpoint(std::span<const std::byte> globals,
                                                              uint64_t applied_seq, const RowTest& is_live,
                                                              const RowTest& weighs) {
  return impl_->Checkpoint(globals, applied_seq, is_live, weighs);
}

Result<std::vector<std::string>> WeightTable::Texts(std::span<const uint64_t> ids) const {
  return impl_->Texts(ids);
}

size_t WeightTable::resident_rows() const { return impl_->rows().size(); }
size_t WeightTable::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace thresher::storage
