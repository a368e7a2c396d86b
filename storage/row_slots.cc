#include "storage/row_slots.h"

#include <cstring>
#include <vector>

namespace thresher::storage {
namespace {

constexpr unsigned kFirstCapacityBits = 13;  // room for the features of one message

// At most 5/8 full: looking up an absent id then takes four probes, mostly in one or two cache lines.
bool Fits(size_t entries, size_t capacity) { return entries * 8 <= capacity * 5; }

unsigned BitsFor(size_t entries, unsigned at_least) {
  unsigned bits = at_least;
  while (!Fits(entries, size_t{1} << bits)) ++bits;
  return bits;
}

}  // namespace

RowSlots::RowSlots(size_t row_bytes)
    : stride_(sizeof(Entry) + row_bytes),
      mask_((size_t{1} << kFirstCapacityBits) - 1),
      shift_(64 - kFirstCapacityBits),
      pages_((mask_ + 1) * stride_) {}

size_t RowSlots::Insert(uint64_t id, uint64_t state) {
  const size_t slot = Probe(id);
  (*this)[slot].id = id;
  (*this)[slot].state = state;
  ++size_;
  return slot;
}

bool RowSlots::HasRoom(size_t more) const { return Fits(size_ + more, mask_ + 1); }

void RowSlots::Reserve(size_t more) {
  if (!HasRoom(more)) Grow(BitsFor(size_ + more, 64 - shift_));
}

size_t RowSlots::BytesFor(size_t rows) const {
  return ZeroedPages::SizeFor(stride_ << BitsFor(rows, kFirstCapacityBits));
}

// In a larger table every home slot moves up, and the order of home slots stays. So entries are moved from
// the last to the first, each to a slot after all entries that are still to be moved. The few entries at the
// beginning whose new slot is not after their old one are put aside and inserted at the end.
void RowSlots::Grow(unsigned capacity_bits) {
  const size_t before = mask_ + 1;
  pages_.Grow(stride_ << capacity_bits);
  mask_ = (size_t{1} << capacity_bits) - 1;
  shift_ = 64 - capacity_bits;
  std::vector<std::byte> aside;
  for (size_t slot = before; slot-- > 0;) {
    if ((*this)[slot].state == 0) continue;
    std::byte* entry = Bytes(slot);
    const size_t to = Probe((*this)[slot].id);
    if (to > slot) {
      std::memcpy(Bytes(to), entry, stride_);
    } else {
      aside.insert(aside.end(), entry, entry + stride_);
    }
    std::memset(entry, 0, stride_);
  }
  for (size_t at = 0; at < aside.size(); at += stride_) {
    const size_t to = Probe(reinterpret_cast<const Entry*>(&aside[at])->id);
    std::memcpy(Bytes(to), &aside[at], stride_);
  }
}

// Moves the following entries into the gap, so that no probe ends at the gap before it reaches them.
void RowSlots::Remove(size_t slot) {
  size_t gap = slot;
  for (size_t next = (gap + 1) & mask_; (*this)[next].state != 0; next = (next + 1) & mask_) {
    const size_t from_home = (next - Home((*this)[next].id)) & mask_;
    if (from_home < ((next - gap) & mask_)) continue;  // the gap is before its home
    std::memcpy(Bytes(gap), Bytes(next), stride_);
    gap = next;
  }
  std::memset(Bytes(gap), 0, stride_);
  --size_;
}

}  // namespace thresher::storage
