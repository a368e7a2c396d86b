// A hash table of fixed-size rows by 64-bit id.
//
// Used by WeightTable, and by the pipeline's LiveScorer. The rows lie one after the other in the order in
// which they were inserted: those of one message are neighbours, and no memory is left empty between them. An
// index of eight bytes for each place leads to them, by linear probing; looking up an id that is absent,
// which every second one is, mostly reads one cache line of it. Slot numbers and rows stay valid until a
// Reserve that needs more room, or RemoveIf. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

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

  void Prefetch(uint64_t id) const { __builtin_prefetch(&Places()[Home(TagOf(id))]); }

  // The slot of `id`; kNone if it has none.
  size_t Find(uint64_t id) const {
    const Place& place = PlaceOf(id);
    return place.IsEmpty() ? kNone : place.slot();
  }
  // The row of `id`; null if it has none.
  std::byte* FindRow(uint64_t id) const {
    const Place& place = PlaceOf(id);
    return place.IsEmpty() ? nullptr : EntryAt(place.slot())->row();
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
  // Of the index. All zero if it is empty.
  struct Place {
    uint32_t tag = 0;
    uint32_t number = 0;  // 1 + slot

    bool IsEmpty() const { return number == 0; }
    size_t slot() const { return number - 1; }
  };

  Entry* EntryAt(size_t slot) const { return reinterpret_cast<Entry*>(pages_.data() + slot * stride_); }
  Place* Places() const { return reinterpret_cast<Place*>(index_.data()); }

  // Ids are hashes already; one more multiplication makes the place independent of their first bits, which
  // tell kinds of features apart.
  static uint32_t TagOf(uint64_t id) { return static_cast<uint32_t>((id * 0x9E3779B97F4A7C15U) >> 32); }
  size_t Home(uint32_t tag) const { return tag >> shift_; }

  // The place of `id`, or the empty place where it would be inserted.
  Place& PlaceOf(uint64_t id) const {
    const uint32_t tag = TagOf(id);
    size_t at = NextAlike(Home(tag), tag);
    while (!Places()[at].IsEmpty() && EntryAt(Places()[at].slot())->id != id)
      at = NextAlike((at + 1) & mask_, tag);
    return Places()[at];
  }
  // The first place from `at` on that is empty or has the tag.
  size_t NextAlike(size_t at, uint32_t tag) const {
    while (!Places()[at].IsEmpty() && Places()[at].tag != tag) at = (at + 1) & mask_;
    return at;
  }

  void AddToIndex(const Place& place);
  // Removes all entries from slot `size` on.
  void Truncate(size_t size);

  size_t stride_;
  size_t mask_;     // the number of places, less one
  unsigned shift_;  // of a tag, to its home
  size_t size_ = 0;
  size_t room_ = 0;  // rows that pages_ and index_ are for
  ZeroedPages pages_;
  ZeroedPages index_;
};

}  // namespace thresher::storage
