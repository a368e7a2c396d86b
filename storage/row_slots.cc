#include "storage/row_slots.h"

#include <algorithm>

namespace thresher::storage {
namespace {

constexpr unsigned kFirstBits = 13;  // of the number of places: room for the features of one message
constexpr unsigned kTagBits = 32;
constexpr size_t kAhead = 16;  // ids

// At most five eighths full: looking up an absent id then takes 4 probes, mostly of one cache line.
size_t RoomOf(size_t places) { return places / 8 * 5; }

unsigned BitsFor(size_t rows, unsigned at_least) {
  unsigned bits = at_least;
  while (RoomOf(size_t{1} << bits) < rows) ++bits;
  return bits;
}

// Rows grow by a quarter, so that little memory is empty.
size_t LargerRoom(size_t size, size_t needed) { return std::max(needed, size + size / 4); }

}  // namespace

RowSlots::RowSlots(size_t row_bytes)
    : stride_(sizeof(Entry) + row_bytes),
      mask_((size_t{1} << kFirstBits) - 1),
      shift_(kTagBits - kFirstBits),
      room_(RoomOf(mask_ + 1)),
      pages_(room_ * stride_),
      index_((mask_ + 1) * sizeof(Place)) {}

// An id passes three stages, kAhead ids apart: its place is fetched, then the row that the place leads to,
// then the id of the row is compared.
void RowSlots::FindRows(std::span<const uint64_t> ids, std::span<std::byte*> rows) const {
  const size_t n = ids.size();
  for (size_t i = 0; i < n + 2 * kAhead; ++i) {
    if (i < n) Prefetch(ids[i]);
    if (i >= kAhead && i - kAhead < n) {
      const uint32_t tag = TagOf(ids[i - kAhead]);
      const Place& place = Places()[NextAlike(Home(tag), tag)];
      std::byte* const row = place.IsEmpty() ? nullptr : EntryAt(place.slot())->row();
      // Not null, where the processor would look for a page each time anew.
      __builtin_prefetch(row != nullptr ? row : pages_.data());
      rows[i - kAhead] = row;
    }
    if (i >= 2 * kAhead) {
      std::byte*& row = rows[i - 2 * kAhead];
      const uint64_t id = ids[i - 2 * kAhead];
      if (row != nullptr && EntryOf(row).id != id) row = FindRow(id);  // another id with this tag
    }
  }
}

size_t RowSlots::Insert(uint64_t id, uint64_t state) {
  const size_t slot = size_++;
  PlaceOf(id) = {TagOf(id), static_cast<uint32_t>(size_)};
  (*this)[slot].id = id;
  (*this)[slot].state = state;
  return slot;
}

void RowSlots::Reserve(size_t more) {
  if (HasRoom(more)) return;
  const size_t rows = LargerRoom(size_, size_ + more);
  if (ZeroedPages::SizeFor(rows * stride_) > pages_.size()) pages_.Grow(rows * stride_);
  const unsigned bits = BitsFor(size_ + more, kTagBits - shift_);
  if (bits > kTagBits - shift_) {
    const ZeroedPages before = std::exchange(index_, ZeroedPages((size_t{1} << bits) * sizeof(Place)));
    const std::span places(reinterpret_cast<const Place*>(before.data()), mask_ + 1);
    mask_ = (size_t{1} << bits) - 1;
    shift_ = kTagBits - bits;
    for (const Place& place : places) {
      if (!place.IsEmpty()) AddToIndex(place);
    }
  }
  room_ = std::min(RoomOf(mask_ + 1), pages_.size() / stride_);
}

// REQUIRES: its id is not in the index.
void RowSlots::AddToIndex(const Place& place) {
  size_t at = Home(place.tag);
  while (!Places()[at].IsEmpty()) at = (at + 1) & mask_;
  Places()[at] = place;
}

void RowSlots::Truncate(size_t size) {
  if (size == size_) return;
  std::memset(EntryAt(size), 0, (size_ - size) * stride_);
  size_ = size;
  std::memset(index_.data(), 0, (mask_ + 1) * sizeof(Place));
  for (size_t slot = 0; slot < size_; ++slot)
    AddToIndex({TagOf((*this)[slot].id), static_cast<uint32_t>(slot + 1)});
}

size_t RowSlots::BytesFor(size_t rows) const {
  return ZeroedPages::SizeFor(rows * stride_) +
         ZeroedPages::SizeFor((size_t{1} << BitsFor(rows, kFirstBits)) * sizeof(Place));
}

}  // namespace thresher::storage
