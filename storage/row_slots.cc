#include "storage/row_slots.h"

#include <algorithm>
#include <bit>

namespace thresher::storage {
namespace {

constexpr size_t kFirstGroups = 600;  // room for the features of one message
// Rows for each group, on average and at most: one group of twenty is full then.
constexpr size_t kRowsPerGroup = 7;
constexpr size_t kAhead = 16;  // ids

size_t GroupsFor(size_t rows) { return rows / kRowsPerGroup + 1; }

}  // namespace

RowSlots::RowSlots(size_t row_bytes)
    : stride_(sizeof(Entry) + row_bytes),
      groups_(kFirstGroups),
      room_(kRowsPerGroup * groups_),
      pages_(room_ * stride_),
      index_(groups_ * sizeof(Group)) {}

RowSlots::Candidate RowSlots::FirstAlike(uint64_t id) const {
  static_assert(sizeof(Group) == 64);  // a cache line
  const uint64_t hash = HashOf(id);
  const Group& group = Groups()[GroupOf(hash)];
  const uint32_t alike = MatchBytes(group.tags.data(), TagOf(hash));
  const size_t place = FirstMatch(alike | 1U << (kPlaces - 1));
  return {group.slots[place], alike != 0, group.IsFull()};
}

size_t RowSlots::Find(uint64_t id) const {
  const uint64_t hash = HashOf(id);
  for (size_t at = GroupOf(hash);; at = After(at)) {
    const Group& group = Groups()[at];
    for (uint32_t alike = MatchBytes(group.tags.data(), TagOf(hash)); alike != 0; alike &= alike - 1) {
      const size_t slot = group.slots[FirstMatch(alike)];
      if (EntryAt(slot)->id == id) return slot;
    }
    if (!group.IsFull()) return kNone;
  }
}

// An id passes three stages, kAhead ids apart: its group is fetched, then the entry that the group leads to,
// then the id of the entry is compared. Whether an id has a row decides no branch, as the processor cannot
// foresee it.
void RowSlots::FindRows(std::span<const uint64_t> ids, std::span<std::byte*> rows) const {
  const size_t n = ids.size();
  std::array<Candidate, kAhead> found{};
  for (size_t i = 0; i < n + 2 * kAhead; ++i) {
    if (i < n) Prefetch(ids[i]);
    if (i >= 2 * kAhead) {
      const size_t at = i - 2 * kAhead;
      const auto [slot, is_alike, is_full] = found[i % kAhead];
      Entry* const entry = EntryAt(slot);
      const auto has_id = static_cast<size_t>(is_alike & (entry->id == ids[at]));
      const std::array<std::byte*, 2> absent_or_found = {nullptr, entry->row()};
      rows[at] = absent_or_found[has_id];
      if (((is_alike | is_full) & (has_id ^ 1U)) != 0) rows[at] = FindRow(ids[at]);  // rare
    }
    if (i >= kAhead && i - kAhead < n) {
      found[i % kAhead] = FirstAlike(ids[i - kAhead]);
      __builtin_prefetch(EntryAt(found[i % kAhead].slot));
    }
  }
}

size_t RowSlots::Insert(uint64_t id, uint64_t state) {
  const size_t slot = size_++;
  (*this)[slot].id = id;
  (*this)[slot].state = state;
  AddToIndex(slot);
  return slot;
}

void RowSlots::AddToIndex(size_t slot) {
  const uint64_t hash = HashOf((*this)[slot].id);
  size_t at = GroupOf(hash);
  while (Groups()[at].IsFull()) at = After(at);
  Group& group = Groups()[at];
  const size_t place = FirstMatch(MatchBytes(group.tags.data(), 0));
  group.tags[place] = TagOf(hash);
  group.slots[place] = static_cast<uint32_t>(slot);
}

void RowSlots::MakeIndex(size_t groups) {
  groups_ = groups;
  index_ = ZeroedPages(groups_ * sizeof(Group));
  for (size_t slot = 0; slot < size_; ++slot) {
    Prefetch((*this)[std::min(slot + kAhead, size_ - 1)].id);
    AddToIndex(slot);
  }
}

// Rows grow by a quarter, so that little memory is empty; the index by half, as it is then made anew.
void RowSlots::Reserve(size_t more) {
  const size_t needed = size_ + more;
  if (needed * stride_ > pages_.size()) pages_.Grow(std::max(needed, size_ + size_ / 4) * stride_);
  if (needed > kRowsPerGroup * groups_) MakeIndex(std::max(GroupsFor(needed), groups_ + groups_ / 2));
  room_ = std::min(kRowsPerGroup * groups_, pages_.size() / stride_);
}

void RowSlots::Truncate(size_t size) {
  if (size == size_) return;
  std::memset(EntryAt(size), 0, (size_ - size) * stride_);
  size_ = size;
  MakeIndex(groups_);
}

size_t RowSlots::BytesFor(size_t rows) const {
  return ZeroedPages::SizeFor(rows * stride_) +
         ZeroedPages::SizeFor(std::max(GroupsFor(rows), kFirstGroups) * sizeof(Group));
}

}  // namespace thresher::storage
