// The bits of the state word of a row in memory (RowSlots::Entry::state).
//
// Shared by WeightTable and its checkpoints. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace thresher::storage {

inline constexpr uint64_t kResident = 1;
inline constexpr uint64_t kChanged = 2;   // since the last checkpoint
inline constexpr uint64_t kStored = 4;    // the row is on disk, and its text if it has one
inline constexpr uint64_t kPrunable = 8;  // the running checkpoint removes it
inline constexpr uint64_t kRecent = 16;   // written by a checkpoint since rows were last evicted

inline constexpr bool IsStored(uint64_t state) { return (state & kStored) != 0; }
inline constexpr bool IsPrunable(uint64_t state) { return (state & kPrunable) != 0; }

// Above the flags: the TextArena handle of a row that is not stored yet.
inline constexpr unsigned kTextShift = 5;

inline constexpr uint64_t NewRow(uint64_t text_handle) { return kResident | (text_handle << kTextShift); }
inline constexpr uint64_t TextHandle(uint64_t state) { return state >> kTextShift; }

}  // namespace thresher::storage
