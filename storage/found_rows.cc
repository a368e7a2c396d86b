#include "storage/found_rows.h"

#include <cstdlib>

namespace thresher::storage {

std::span<const std::byte* const> FoundRows::rows() const {
  if (!IsCurrent()) std::abort();
  const std::byte* const* first = rows_.data();
  return {first, rows_.size()};
}

}  // namespace thresher::storage
