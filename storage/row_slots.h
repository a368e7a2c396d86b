// A hash table of fixed-size rows by 64-bit id.
//
// Used by WeightTable, and by the pipeline's LiveScorer. The rows lie one after the other in the order in
// which they were inserted: those of one message are neighbours, and no memory is left empty between them. An
// index leads to them. It consists of groups of twelve places, each in a cache line; a place has a tag, which
// is a byte of an id's hash, and the number of a slot. Looking up an id that is absent, which every second
// one is, mostly reads one group. Slot numbers and rows stay valid until a Reserve that needs more room, or
// RemoveIf. Thread-safety: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "storage/byte_match.h"
#include "storage/zeroed_pages.h"

namespace thresher::storage {

class RowSlots {
 public:
  static constexpr size_t kNone = ~size_t{0};

  struct Entry {
    uint64_t id;
    uint64_t state;  // defined by the owner of the table
    // The row follows.
    std::byte* row() { return reinterpret_cast<std::byte*>(this + 1); }
    const std::byte* row() const { return reinterpret_cast<const std::byte*>(this + 1); }
  };

  // REQUIRES: row_bytes is a multiple of 8.
  explicit RowSlots(size_t row_bytes);

  Entry& operator[](size_t slot) { return *EntryAt(slot); }
  const Entry& operator[](size_t slot) const { return *EntryAt(slot); }

  void Prefetch(uint64_t id) const { __builtin_prefetch(&Groups()[GroupOf(HashOf(id))]); }

  // The slot of `id`; kNone if it has none.
  size_t Find(uint64_t id) const;
  // The row of `id`; null if it has none.
  std::byte* FindRow(uint64_t id) const {
    const size_t slot = Find(id);
    return slot == kNone ? nullptr : EntryAt(slot)->row();
  }
  // The same for many ids: rows[i] becomes the row of ids[i]. Fetches those ahead meanwhile. REQUIRES: both
  // have the same size.
  void FindRows(std::span<const uint64_t> ids, std::span<std::byte*> rows) const;
  // The entry that a row is part of.
  static Entry& EntryOf(std::byte* row) { return *(reinterpret_cast<Entry*>(row) - 1); }

  // The slot of a new, all-zero row. REQUIRES: `id` has none; room was reserved.
  size_t Insert(uint64_t id, uint64_t state);

  bool HasRoom(size_t more) const { return size_ + more <= room_; }
  // Makes room for `more` insertions. Entries move if there is not enough room yet.
  void Reserve(size_t more);

  // Removes every entry for which is_gone(entry) is true; the others stay in order.
  template <class IsGone>
  void RemoveIf(const IsGone& is_gone) {
    size_t kept = 0;
    for (size_t slot = 0; slot < size_; ++slot) {
      if (is_gone(std::as_const((*this)[slot]))) continue;
      if (kept != slot) std::memcpy(EntryAt(kept), EntryAt(slot), stride_);
      ++kept;
    }
    Truncate(kept);
  }

  // Calls visit(entry) for each entry, in the order of their slots.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (size_t slot = 0; slot < size_; ++slot) visit((*this)[slot]);
  }
  template <class Visit>
  void ForEach(const Visit& visit) {
    for (size_t slot = 0; slot < size_; ++slot) visit((*this)[slot]);
  }

  size_t size() const { return size_; }
  size_t row_bytes() const { return stride_ - sizeof(Entry); }
  size_t memory_bytes() const { return pages_.size() + index_.size(); }
  // The memory that `rows` rows would take.
  size_t BytesFor(size_t rows) const;

 private:
  static constexpr size_t kPlaces = 12;  // of a group
  // Of the index. Its first places are taken first.
  struct Group {
    std::array<uint8_t, kBytesMatched> tags;  // 0: the place is empty, as those behind the last one are
    std::array<uint32_t, kPlaces> slots;

    bool IsFull() const { return tags[kPlaces - 1] != 0; }
  };
  // What one look at the group of an id tells.
  struct Candidate {
    uint32_t slot;  // of the first place with the tag; if there is none, another one
    bool is_alike;  // there is one
    bool is_full;   // other groups may have the id, too
  };

  Entry* EntryAt(size_t slot) const { return reinterpret_cast<Entry*>(pages_.data() + slot * stride_); }
  Group* Groups() const { return reinterpret_cast<Group*>(index_.data()); }

  // Ids are hashes already; one more multiplication makes the place independent of their first bits, which
  // tell kinds of features apart.
  static uint64_t HashOf(uint64_t id) { return id * 0x9E3779B97F4A7C15U; }
  size_t GroupOf(uint64_t hash) const { return (hash >> 32) * groups_ >> 32; }
  // Not 0, which is that of an empty place.
  static uint8_t TagOf(uint64_t hash) {
    const auto tag = static_cast<uint8_t>(hash >> 24);
    return static_cast<uint8_t>(tag + (tag == 0 ? 1 : 0));
  }
  size_t After(size_t group) const { return group + 1 == groups_ ? 0 : group + 1; }

  Candidate FirstAlike(uint64_t id) const;
  // REQUIRES: the id of the slot is not in the index.
  void AddToIndex(size_t slot);
  // Makes an index of so many groups.
  void MakeIndex(size_t groups);
  // Removes all entries from slot `size` on.
  void Truncate(size_t size);

  size_t stride_;
  size_t groups_;
  size_t size_ = 0;
  size_t room_ = 0;  // rows that pages_ and index_ are for
  ZeroedPages pages_;
  ZeroedPages index_;
};

}  // namespace thresher::storage
