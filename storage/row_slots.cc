#include "storage/row_slots.h"

#include <cstring>
#include <utility>

namespace thresher::storage {
namespace {

constexpr unsigned kFirstCapacityBits = 13;  // one message's features without growing

// At most 5/8 full: an absent id then costs four probes, mostly of one or two cache lines.
bool Fits(size_t entries, size_t capacity) { return entries * 8 <= capacity * 5; }

}  // namespace

RowSlots::RowSlots(size_t row_bytes) : RowSlots(row_bytes, kFirstCapacityBits) {}

RowSlots::RowSlots(size_t row_bytes, unsigned capacity_bits)
    : stride_(sizeof(Entry) + row_bytes),
      mask_((size_t{1} << capacity_bits) - 1),
      shift_(64 - capacity_bits),
      pages_((mask_ + 1) * stride_) {}

size_t RowSlots::Insert(uint64_t id, uint64_t state) {
  const size_t slot = Probe(id);
  (*this)[slot].id = id;
  (*this)[slot].state = state;
  ++size_;
  return slot;
}

void RowSlots::InsertCopy(const Entry& from) {
  const size_t slot = Insert(from.id, from.state);
  std::memcpy((*this)[slot].row(), from.row(), row_bytes());
}

bool RowSlots::HasRoom(size_t more) const { return Fits(size_ + more, mask_ + 1); }

void RowSlots::Reserve(size_t more) {
  if (HasRoom(more)) return;
  unsigned bits = 64 - shift_;
  while (!Fits(size_ + more, size_t{1} << bits)) ++bits;
  RowSlots larger(row_bytes(), bits);
  ForEach([&larger](const Entry& each) { larger.InsertCopy(each); });
  *this = std::move(larger);
}

}  // namespace thresher::storage
