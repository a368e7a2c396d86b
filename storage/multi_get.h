// Looks up many ids of one family at once.
//
// Used by WeightTable and RowReader, for texts and rows, and by NewModel and checkpoints, for keys.
// Thread-safety: as Database.
#pragma once

#include <rocksdb/slice.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "storage/database_impl.h"
#include "storage/error.h"

namespace thresher::storage {

// The key of an id in the families `weights` and `tokens`: big-endian, so that sorted ids are sorted keys.
class IdKey {
 public:
  explicit IdKey(uint64_t id);
  rocksdb::Slice slice() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, sizeof(uint64_t)> bytes_;
};

// Calls found(id, value) once for every id that is stored, in ascending order, and stops at the first error.
Result<void> MultiGet(const DatabaseImpl& impl, Family family, std::span<const uint64_t> ids,
                      const std::function<Result<void>(uint64_t id, std::string_view value)>& found);

}  // namespace thresher::storage
