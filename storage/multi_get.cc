#include "storage/multi_get.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "storage/byte_order.h"

namespace thresher::storage {
namespace {

// RocksDB takes half a kilobyte of memory for each, which should not be new each time. It takes 32 at a time
// itself.
constexpr size_t kAtOnce = 256;

Result<void> GetSorted(const DatabaseImpl& impl, Family family, std::span<const uint64_t> ids,
                       const std::function<Result<void>(uint64_t, std::string_view)>& found) {
  const std::vector<IdKey> keys(ids.begin(), ids.end());
  std::vector<rocksdb::Slice> slices(ids.size());
  std::transform(keys.begin(), keys.end(), slices.begin(), [](const IdKey& key) { return key.slice(); });
  std::vector<rocksdb::PinnableSlice> values(ids.size());
  std::vector<rocksdb::Status> statuses(ids.size());
  impl.rocks().MultiGet(rocksdb::ReadOptions(), impl.family(family), ids.size(), slices.data(), values.data(),
                        statuses.data(), /*sorted_input=*/true);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    if (!statuses[i].ok()) return tl::unexpected(impl.Failure(statuses[i]));
    if (auto taken = found(ids[i], values[i].ToStringView()); !taken) return taken;
  }
  return {};
}

}  // namespace

IdKey::IdKey(uint64_t id) {
  const uint64_t big = ByteSwapped(id);
  std::memcpy(bytes_.data(), &big, sizeof big);
}

Result<void> MultiGet(const DatabaseImpl& impl, Family family, std::span<const uint64_t> ids,
                      const std::function<Result<void>(uint64_t, std::string_view)>& found) {
  std::vector<uint64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::span<const uint64_t> rest = sorted; !rest.empty();) {
    const auto now = rest.first(std::min(rest.size(), kAtOnce));
    if (auto got = GetSorted(impl, family, now, found); !got) return got;
    rest = rest.subspan(now.size());
  }
  return {};
}

}  // namespace thresher::storage
