// A weight table with rows of known content, for tests. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "storage/database.h"
#include "storage/weight_table.h"
#include "tests/test_directory.h"

namespace thresher::storage {

inline constexpr size_t kRowBytes = 24;

std::unique_ptr<Database> OpenForWriting(const TestDirectory& scratch);

// The numbers from `first` to before `last`.
std::vector<uint64_t> Numbers(uint64_t first, uint64_t last);

// The same, spread over all ids as hashes are, for tests of many rows: ids that share their first bits are
// looked for one after the other in a score image.
std::vector<uint64_t> SpreadNumbers(uint64_t first, uint64_t last);

// Makes every byte of the rows of `ids` equal to `fill`. The text of a new row is "text".
void Fill(WeightTable& table, const std::vector<uint64_t>& ids, std::byte fill);

// Row tests for checkpoints and sweeps.
bool AllLive(const std::byte* row);
bool NoneLive(const std::byte* row);
bool IsNotZero(const std::byte* row);

}  // namespace thresher::storage
