// An open-addressing hash table of fixed-size rows by 64-bit id; most look-ups read one cache line.
//
// Used by WeightTable, and by the pipeline's LiveScorer. Linear probing over entries {id, state, row}, in the
// order of the ids' hashes except for collisions, so that the table can grow in place. Slot numbers and rows
// stay valid until a Reserve that needs more room, or RemoveIf. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "storage/zeroed_pages.h"

namespace thresher::storage {

class RowSlots {
 public:
  static constexpr size_t kNone = ~size_t{0};

  struct Entry {
    uint64_t id;
    uint64_t state;  // defined by the owner of the table; 0 marks an empty slot
    // The row follows.
    std::byte* row() { return reinterpret_cast<std::byte*>(this + 1); }
    const std::byte* row() const { return reinterpret_cast<const std::byte*>(this + 1); }
  };

  // REQUIRES: row_bytes is a multiple of 8.
  explicit RowSlots(size_t row_bytes);

  Entry& operator[](size_t slot) { return *reinterpret_cast<Entry*>(Bytes(slot)); }
  const Entry& operator[](size_t slot) const { return *reinterpret_cast<const Entry*>(Bytes(slot)); }

  void Prefetch(uint64_t id) const { __builtin_prefetch(&(*this)[Home(id)]); }

  // The slot of `id`; kNone if it has none.
  size_t Find(uint64_t id) const {
    const size_t slot = Probe(id);
    return (*this)[slot].state == 0 ? kNone : slot;
  }

  // The row of `id`; null if it has none.
  std::byte* FindRow(uint64_t id) const {
    auto* const entry = reinterpret_cast<Entry*>(Bytes(Probe(id)));
    return entry->state == 0 ? nullptr : entry->row();
  }
  // The entry that a row is part of.
  static Entry& EntryOf(std::byte* row) { return *(reinterpret_cast<Entry*>(row) - 1); }

  // The slot of a new, all-zero row. REQUIRES: `id` has none; room was reserved; state is not 0.
  size_t Insert(uint64_t id, uint64_t state);

  bool HasRoom(size_t more) const;
  // Makes room for `more` insertions. Entries move if there is not enough room yet.
  void Reserve(size_t more);

  // Removes every entry for which is_gone(entry) is true. Calls is_gone more than once for some.
  template <class IsGone>
  void RemoveIf(const IsGone& is_gone) {
    for (size_t slot = 0; slot <= mask_; ++slot) {
      while ((*this)[slot].state != 0 && is_gone(std::as_const((*this)[slot]))) Remove(slot);
    }
  }

  // Calls visit(entry) for each entry, in no particular order.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (size_t slot = 0; slot <= mask_; ++slot) {
      if (const Entry& each = (*this)[slot]; each.state != 0) visit(each);
    }
  }
  template <class Visit>
  void ForEach(const Visit& visit) {
    for (size_t slot = 0; slot <= mask_; ++slot) {
      if (Entry& each = (*this)[slot]; each.state != 0) visit(each);
    }
  }

  size_t size() const { return size_; }
  size_t row_bytes() const { return stride_ - sizeof(Entry); }
  size_t memory_bytes() const { return pages_.size(); }
  // The memory that `rows` rows would take.
  size_t BytesFor(size_t rows) const;

 private:
  std::byte* Bytes(size_t slot) const { return pages_.data() + slot * stride_; }

  // Ids are hashes already; one more multiplication makes the place independent of the order of the ids, in
  // which rows are often inserted. Ascends with the hash for every capacity.
  size_t Home(uint64_t id) const { return static_cast<size_t>((id * 0x9E3779B97F4A7C15U) >> shift_); }

  // Bitwise operators avoid a branch.
  bool IsOther(size_t slot, uint64_t id) const {
    return static_cast<bool>(static_cast<int>((*this)[slot].state != 0) &
                             static_cast<int>((*this)[slot].id != id));
  }

  // The slot of `id`, or the empty slot where it would be inserted.
  size_t Probe(uint64_t id) const {
    size_t slot = Home(id);
    // The first step has no branch, as the processor cannot predict whether an id is in its home slot or the
    // next.
    slot = (slot + static_cast<size_t>(IsOther(slot, id))) & mask_;
    while (IsOther(slot, id)) slot = (slot + 1) & mask_;
    return slot;
  }

  void Grow(unsigned capacity_bits);
  void Remove(size_t slot);

  size_t stride_;
  size_t mask_;
  unsigned shift_;
  size_t size_ = 0;
  ZeroedPages pages_;
};

}  // namespace thresher::storage
