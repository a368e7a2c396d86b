// The bits of the state word of a row in memory (RowSlots::Entry::state).
//
// Shared by WeightTable and its checkpoints. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace thresher::storage {

inline constexpr uint64_t kChanged = 1;   // since the last checkpoint
inline constexpr uint64_t kStored = 2;    // the row is on disk
inline constexpr uint64_t kPrunable = 4;  // the running checkpoint removes it
inline constexpr uint64_t kRecent = 8;    // written by a checkpoint since rows were last evicted
inline constexpr uint64_t kHasText = 16;  // its text is on disk; unknown, if the row was read from disk

inline constexpr bool IsStored(uint64_t state) { return (state & kStored) != 0; }
inline constexpr bool IsPrunable(uint64_t state) { return (state & kPrunable) != 0; }

// Above the flags: the TextArena handle of a text that the next checkpoint stores.
inline constexpr unsigned kTextShift = 5;

inline constexpr uint64_t TextHandle(uint64_t state) { return state >> kTextShift; }
inline constexpr uint64_t WithText(uint64_t state, uint64_t handle) { return state | (handle << kTextShift); }

}  // namespace thresher::storage
