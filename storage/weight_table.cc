#include "storage/weight_table.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "storage/checkpoint.h"
#include "storage/database_impl.h"
#include "storage/multi_get.h"
#include "storage/resident_row.h"
#include "storage/row_reader.h"
#include "storage/row_slots.h"
#include "storage/text_arena.h"

namespace thresher::storage {
namespace {

// Looking up one row on disk takes about as long as reading four rows in order.
constexpr uint64_t kRowsPerLookup = 4;
constexpr size_t kFewLookups = size_t{1} << 16;
constexpr size_t kShareOfSweep = 4;  // 1/4 of the budget is for the prunable rows that a sweep loads

}  // namespace

class WeightTable::Impl {
 public:
  Impl(DatabaseImpl& database, size_t row_bytes)
      : database_(&database), rows_(row_bytes), complete_(Stored().IsEmpty()) {}
  ~Impl() { MakeHandlesStale(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> LoadAll();
  void StartOver(size_t row_bytes, const Meta& meta);
  Result<void> Find(std::span<const uint64_t> ids, bool only_weights, FoundRows* found);
  Result<std::span<std::byte* const>> Touch(FoundRows& found);
  void KeepTexts(const FoundRows& found, std::span<const uint8_t> wanted, const TextOf& text_of);
  Result<uint64_t> Sweep(const RowTest& is_live);
  Result<CheckpointCounts> Checkpoint(std::span<const std::byte> globals, uint64_t applied_seq,
                                      const RowTest& is_live, const RowTest& has_weight);
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;

  const RowSlots& rows() const { return rows_; }
  RowSlots& rows() { return rows_; }
  size_t memory_bytes() const { return rows_.memory_bytes() + texts_.memory_bytes(); }
  void SetBudget(size_t bytes) { budget_ = bytes; }

 private:
  RowReader Stored() const { return {*database_, rows_.row_bytes()}; }
  uint64_t EstimateStored() const { return std::max(seen_, Stored().EstimateCount()); }
  bool PaysToLoadAll() const;

  // Fills in the rows of found->ids_, from memory and from disk.
  Result<void> Resolve(FoundRows* found);
  // The same from memory only: an id whose row is only on disk becomes absent.
  void Locate(FoundRows* found) const;
  // Brings the rows of absent ids into memory, if they have one on disk.
  Result<void> FaultIn(FoundRows* found);
  // `flags`: further bits of the row's state.
  void Keep(uint64_t id, std::string_view stored, uint64_t flags = 0);
  // Makes room for `more` rows. Makes handles stale if rows move.
  void Reserve(size_t more);
  void MakeHandlesStale() { ++*generation_; }
  // REQUIRES: no row is changed.
  void Evict();

  DatabaseImpl* database_;
  RowSlots rows_;
  TextArena texts_;
  bool complete_;
  // See FoundRows.
  std::shared_ptr<uint64_t> generation_ = std::make_shared<uint64_t>(1);
  std::vector<uint64_t> missing_;
  size_t looked_up_ = 0;  // rows looked up on disk since the table stopped being complete
  uint64_t seen_ = 0;     // number of rows when all of them were last looked at
  size_t budget_ = 0;
  std::optional<Meta> new_meta_;  // after StartOver, until the next checkpoint
};

Result<void> WeightTable::Impl::LoadAll() {
  if (complete_) return {};
  const uint64_t at_least = EstimateStored() / 2;  // rows written twice are counted twice
  if (at_least > rows_.size()) Reserve(at_least - rows_.size());
  auto loaded = Stored().ReadAll([this](uint64_t id, std::string_view row) -> Result<void> {
    Keep(id, row);
    return {};
  });
  if (!loaded) return loaded;
  complete_ = true;
  looked_up_ = 0;
  database_->ForgetImage();
  return {};
}

Result<uint64_t> WeightTable::Impl::Sweep(const RowTest& is_live) {
  if (complete_) return rows_.size();
  uint64_t rows = 0;
  // A share of its own: a checkpoint that is due because memory is short finds the budget used up.
  const size_t room = budget_ / kShareOfSweep / (sizeof(RowSlots::Entry) + rows_.row_bytes());
  size_t brought = 0;
  std::vector<uint64_t> aligned(rows_.row_bytes() / sizeof(uint64_t));
  auto* const bytes = reinterpret_cast<std::byte*>(aligned.data());
  auto swept = Stored().ReadAll([&](uint64_t id, std::string_view stored) -> Result<void> {
    ++rows;
    size_t slot = rows_.Find(id);
    if (slot == RowSlots::kNone) {
      if (budget_ > 0 && brought > room) return {};
      std::memcpy(bytes, stored.data(), stored.size());
      if (is_live(bytes)) return {};
      Keep(id, stored);
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
  MakeHandlesStale();
  rows_ = RowSlots(row_bytes);
  texts_.Clear();
  complete_ = true;
  seen_ = 0;
  new_meta_ = meta;
}

// A row that is in memory already may have changed since it was stored, so it stays as it is.
void WeightTable::Impl::Keep(uint64_t id, std::string_view stored, uint64_t flags) {
  if (rows_.Find(id) != RowSlots::kNone) return;
  Reserve(1);
  const size_t slot = rows_.Insert(id, kStored | flags);
  std::memcpy(rows_[slot].row(), stored.data(), stored.size());
}

void WeightTable::Impl::Reserve(size_t more) {
  if (rows_.HasRoom(more)) return;
  MakeHandlesStale();
  rows_.Reserve(more);
}

Result<void> WeightTable::Impl::Find(std::span<const uint64_t> ids, bool only_weights, FoundRows* found) {
  found->ids_.assign(ids.begin(), ids.end());
  found->only_weights_ = only_weights;
  return Resolve(found);
}

void WeightTable::Impl::Locate(FoundRows* found) const {
  const std::span<const uint64_t> ids = found->ids_;
  found->rows_.resize(ids.size());
  const std::span<std::byte*> rows = found->rows_;
  rows_.FindRows(ids, rows);
  found->absent_ = static_cast<size_t>(std::ranges::count(rows, nullptr));
  if (found->generation_ != generation_) found->generation_ = generation_;
  found->found_in_ = *generation_;
}

Result<void> WeightTable::Impl::Resolve(FoundRows* found) {
  Locate(found);
  if (complete_ || found->absent_ == 0) return {};
  const size_t before = rows_.size();
  if (auto read = FaultIn(found); !read) {
    found->found_in_ = 0;  // an absent id may have a row on disk
    return read;
  }
  if (rows_.size() != before || !found->IsCurrent())
    Locate(found);  // LoadAll moves rows even if it adds none
  return {};
}

// A caller whose look-ups of single rows have cost about as much as loading all rows will make more of them.
// All rows, and some to come, must fit into the budget: else they would be evicted and loaded again and
// again.
bool WeightTable::Impl::PaysToLoadAll() const {
  if (looked_up_ < kFewLookups) return false;
  const uint64_t stored = EstimateStored();
  return looked_up_ > stored / kRowsPerLookup &&
         (budget_ == 0 || rows_.BytesFor(stored + stored / 4) <= budget_);
}

// Ids without a row are not remembered: messages bring new ones without end, and RocksDB's filters in memory
// answer for most of them. Rows with a weight are in the score image, where they cost a cache line and not a
// block, and have their texts on disk.
Result<void> WeightTable::Impl::FaultIn(FoundRows* found) {
  missing_.clear();
  for (size_t i = 0; i < found->ids_.size(); ++i) {
    if (found->rows_[i] == nullptr) missing_.push_back(found->ids_[i]);
  }
  const ScoreImage* const image = database_->image(rows_.row_bytes());
  const bool has_weights = image != nullptr;
  if (has_weights)
    TakeFrom(*image, &missing_, [this](uint64_t id, std::string_view row) { Keep(id, row, kHasText); });
  found->only_weights_ = found->only_weights_ && has_weights;
  if (found->only_weights_) return {};
  looked_up_ += missing_.size();
  if (PaysToLoadAll()) return LoadAll();
  return Stored().Read(missing_, [this](uint64_t id, std::string_view row) -> Result<void> {
    Keep(id, row);
    return {};
  });
}

Result<std::span<std::byte* const>> WeightTable::Impl::Touch(FoundRows& found) {
  const bool may_lack_rows = std::exchange(found.only_weights_, false) && !complete_ && found.absent_ > 0;
  if (may_lack_rows || found.generation_ != generation_ || !found.IsCurrent()) {
    if (auto resolved = Resolve(&found); !resolved) return tl::unexpected(resolved.error());
  }
  if (!rows_.HasRoom(found.absent_)) {
    Reserve(found.absent_);
    Locate(&found);
  }
  for (size_t i = 0; i < found.ids_.size(); ++i) {
    std::byte*& row = found.rows_[i];
    if (row == nullptr) {
      const uint64_t id = found.ids_[i];
      row = rows_.FindRow(id);  // made by an earlier i with the same id, or by a Touch with another handle
      if (row == nullptr) row = rows_[rows_.Insert(id, 0)].row();
    }
    RowSlots::EntryOf(row).state |= kChanged;
  }
  found.absent_ = 0;
  return std::span<std::byte* const>(found.rows_);
}

void WeightTable::Impl::KeepTexts(const FoundRows& found, std::span<const uint8_t> wanted,
                                  const TextOf& text_of) {
  for (size_t i = 0; i < found.rows_.size(); ++i) {
    if (wanted[i] == 0) continue;
    RowSlots::Entry& entry = RowSlots::EntryOf(found.rows_[i]);
    if ((entry.state & kHasText) != 0 || TextHandle(entry.state) != 0) continue;
    entry.state = WithText(entry.state, texts_.Add(text_of(i)));
  }
}

Result<WeightTable::CheckpointCounts> WeightTable::Impl::Checkpoint(std::span<const std::byte> globals,
                                                                    uint64_t applied_seq,
                                                                    const RowTest& is_live,
                                                                    const RowTest& has_weight) {
  MakeHandlesStale();
  const ScoreImage* const image = complete_ ? nullptr : database_->image(rows_.row_bytes());
  if (image == nullptr) {
    if (auto loaded = LoadAll(); !loaded) return tl::unexpected(loaded.error());
  }
  auto counts = WriteCheckpoint(
      *database_, {&new_meta_, complete_, image, globals, applied_seq, is_live, has_weight}, &rows_, &texts_);
  if (counts && budget_ > 0 && memory_bytes() > budget_) Evict();
  return counts;
}

void WeightTable::Impl::Evict() {
  const auto is_recent = [](const RowSlots::Entry& entry) { return (entry.state & kRecent) != 0; };
  size_t recent = 0;
  rows_.ForEach([&](const RowSlots::Entry& entry) { recent += is_recent(entry) ? 1 : 0; });
  RowSlots kept(rows_.row_bytes());
  if (kept.BytesFor(recent) <= budget_ / 2) {
    kept.Reserve(recent);
    rows_.ForEach([&](const RowSlots::Entry& entry) {
      if (!is_recent(entry)) return;
      const uint64_t state = kStored | (entry.state & kHasText);
      std::memcpy(kept[kept.Insert(entry.id, state)].row(), entry.row(), kept.row_bytes());
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
    : impl_(std::make_unique<Impl>(DatabaseAccess::ImplOf(database), row_bytes)) {}

WeightTable::~WeightTable() = default;

Result<void> WeightTable::LoadAll() { return impl_->LoadAll(); }

void WeightTable::SetBudget(size_t bytes) { impl_->SetBudget(bytes); }

void WeightTable::StartOver(size_t row_bytes, const Meta& meta) { impl_->StartOver(row_bytes, meta); }

Result<void> WeightTable::Find(std::span<const uint64_t> ids, FoundRows* found) {
  return impl_->Find(ids, /*only_weights=*/false, found);
}

Result<void> WeightTable::FindWeights(std::span<const uint64_t> ids, FoundRows* found) {
  return impl_->Find(ids, /*only_weights=*/true, found);
}

Result<std::span<std::byte* const>> WeightTable::Touch(FoundRows& found) { return impl_->Touch(found); }

void WeightTable::KeepTexts(const FoundRows& found, std::span<const uint8_t> wanted, const TextOf& text_of) {
  impl_->KeepTexts(found, wanted, text_of);
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
                                                              const RowTest& has_weight) {
  return impl_->Checkpoint(globals, applied_seq, is_live, has_weight);
}

Result<std::vector<std::string>> WeightTable::Texts(std::span<const uint64_t> ids) const {
  return impl_->Texts(ids);
}

size_t WeightTable::resident_rows() const { return impl_->rows().size(); }
size_t WeightTable::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace thresher::storage
