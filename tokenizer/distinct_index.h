// Numbers the distinct keys of one message: an open-addressing hash table that is emptied in constant time,
// because it is reused from message to message.
//
// Each message begins with few slots, so that after a long message the next ones still find theirs in the
// processor's caches.
//
// Used by FeatureBuilder for token ids and by Ngrams. Thread-safety: serves one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thresher::tokenizer {

template <typename Key>
class DistinctIndex {
 public:
  // `secret` prevents a sender from choosing keys that share a slot.
  explicit DistinctIndex(uint64_t secret)
      : multiplier_(((secret ^ 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93) | 1), slots_(kFirstSlots) {}

  // Removes all keys.
  void Clear() {
    if (next_stamp_ > kMaxStamp) {
      slots_.assign(slots_.size(), Slot{});
      next_stamp_ = 1;
    }
    first_stamp_ = next_stamp_;
    count_ = 0;
    mask_ = kFirstSlots - 1;
  }

  // Returns the number that `key` was added with; adds it with `number` if it is new. REQUIRES: numbers grow
  // from call to call and stay below 2^30.
  uint32_t Add(Key key, uint32_t number) {
    if (2 * count_ > mask_) Grow();
    Slot& slot = FindSlot(key);
    // Without a branch, because the processor cannot predict whether a key is new.
    const bool is_new = slot.stamp < first_stamp_;
    slot = {key, is_new ? first_stamp_ + number : slot.stamp};
    next_stamp_ = is_new ? slot.stamp + 1 : next_stamp_;
    count_ += is_new ? 1 : 0;
    return slot.stamp - first_stamp_;
  }

  // Fetches what the next Add of this key reads.
  void Prefetch(Key key) const { __builtin_prefetch(&slots_[Home(key)]); }

  // Adds `count` keys to an index without keys, which takes half the time of an Add for each: next_key()
  // gives the next one, and take(key, number) is called with it. Numbers begin at 0. Returns how many keys
  // are distinct.
  template <class NextKey, class Take>
  uint32_t AddAll(size_t count, const NextKey& next_key, const Take& take) {
    while (mask_ + 1 < std::min(kSlotsPerKey * count, kMostSlotsAtFirst)) mask_ = 2 * mask_ + 1;
    if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
    uint32_t stamp = first_stamp_;
    for (size_t i = 0; i < count; ++i) {
      if (2 * size_t{stamp - first_stamp_} > mask_) Grow();
      const Key key = next_key();
      Slot& slot = FindSlot(key);
      const bool is_new = slot.stamp < first_stamp_;
      const uint32_t of_key = is_new ? stamp : slot.stamp;
      slot = {key, of_key};
      stamp += is_new ? 1 : 0;
      take(key, of_key - first_stamp_);
    }
    next_stamp_ = stamp;
    count_ = stamp - first_stamp_;
    return stamp - first_stamp_;
  }

 private:
  static constexpr size_t kFirstSlots = 4096;
  // More empty slots make it rarer that a key is not in its first one, which the processor cannot foresee.
  static constexpr size_t kSlotsPerKey = 4;
  static constexpr size_t kMostSlotsAtFirst = size_t{1} << 15;
  static constexpr uint32_t kMaxStamp = uint32_t{1} << 31;

  struct Slot {
    Key key = 0;
    uint32_t stamp = 0;  // first_stamp_ + number; smaller: of an earlier message, so the slot is empty
  };

  size_t Home(Key key) const { return static_cast<size_t>((key * multiplier_) >> 32) & mask_; }

  // The slot that holds `key`, or the empty slot where it would be added.
  Slot& FindSlot(Key key) {
    size_t at = Home(key);
    while (slots_[at].stamp >= first_stamp_ && slots_[at].key != key) at = (at + 1) & mask_;
    return slots_[at];
  }

  void Grow() {
    const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(mask_ + 1);
    const std::vector<Slot> old(slots_.begin(), end);
    std::fill(slots_.begin(), end, Slot{});
    mask_ = 2 * mask_ + 1;
    if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
    for (const Slot& slot : old) {
      if (slot.stamp >= first_stamp_) FindSlot(slot.key) = slot;
    }
  }

  uint64_t multiplier_;
  std::vector<Slot> slots_;        // as many as the message with most keys needed
  size_t mask_ = kFirstSlots - 1;  // the number of slots in use, less one
  uint32_t first_stamp_ = 1;
  uint32_t next_stamp_ = 1;
  size_t count_ = 0;
};

}  // namespace thresher::tokenizer
