// Reads the rows of a model from disk: all of them in order, or those of some ids.
//
// Used by WeightTable for rows that are not in memory. Checks the size of each row. Thread-safety: as
// Database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/score_image.h"

namespace thresher::storage {

// Visits those of *ids that have a row in the image, and leaves the others in *ids.
void TakeFrom(const ScoreImage& image, std::vector<uint64_t>* ids,
              const std::function<void(uint64_t id, std::string_view row)>& visit);

class RowReader {
 public:
  RowReader(const DatabaseImpl& database, size_t row_bytes) : database_(&database), row_bytes_(row_bytes) {}

  // Reads no table. False also if this cannot be known or read.
  bool IsEmpty() const;

  // How many rows there are, about. Rows that were written since the last flush are not counted, rows that
  // were written more than once count several times until a compaction. RocksDB's own estimate leaves out
  // files that it has not opened yet.
  uint64_t EstimateCount() const;

  // Called with a row, which may lie at any address; an error ends the reading and is returned.
  using Visit = std::function<Result<void>(uint64_t id, std::string_view row)>;

  Result<void> ReadAll(const Visit& visit) const;
  // Visits those of `ids` that have a row, each once, in ascending order.
  Result<void> Read(std::span<const uint64_t> ids, const Visit& visit) const;

 private:
  Result<void> Checked(uint64_t id, std::string_view row, const Visit& visit) const;

  const DatabaseImpl* database_;
  size_t row_bytes_;
};

}  // namespace thresher::storage
