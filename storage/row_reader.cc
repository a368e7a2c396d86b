#include "storage/row_reader.h"

#include <fmt/format.h>
#include <rocksdb/table_properties.h>

#include <memory>

#include "storage/byte_order.h"
#include "storage/multi_get.h"

namespace thresher::storage {
namespace {

constexpr size_t kLogReadAhead = size_t{2} << 20;

}  // namespace

void TakeFrom(const ScoreImage& image, std::vector<uint64_t>* ids,
              const std::function<void(uint64_t id, std::string_view row)>& visit) {
  std::vector<const std::byte*> rows;
  image.Find(*ids, &rows);
  size_t left = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == nullptr) {
      (*ids)[left++] = (*ids)[i];
    } else {
      visit((*ids)[i], {reinterpret_cast<const char*>(rows[i]), image.row_bytes()});
    }
  }
  ids->resize(left);
}

bool RowReader::IsEmpty() const {
  rocksdb::ColumnFamilyMetaData files;
  database_->rocks().GetColumnFamilyMetaData(database_->family(Family::kWeights), &files);
  if (files.file_count > 0) return false;
  const std::unique_ptr<rocksdb::Iterator> first(
      database_->rocks().NewIterator(rocksdb::ReadOptions(), database_->family(Family::kWeights)));
  first->SeekToFirst();
  return first->status().ok() && !first->Valid();
}

uint64_t RowReader::EstimateCount() const {
  rocksdb::TablePropertiesCollection files;
  const auto status =
      database_->rocks().GetPropertiesOfAllTables(database_->family(Family::kWeights), &files);
  uint64_t count = 0;
  for (const auto& [name, properties] : files) count += properties->num_entries;
  return status.ok() ? count : 0;
}

Result<void> RowReader::ReadAll(const Visit& visit) const {
  rocksdb::ReadOptions options;
  options.readahead_size = kLogReadAhead;
  const std::unique_ptr<rocksdb::Iterator> entry(
      database_->rocks().NewIterator(options, database_->family(Family::kWeights)));
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    if (entry->key().size() != sizeof(uint64_t)) return tl::unexpected(database_->Corrupt("the id of a row"));
    const auto id = LoadBig<uint64_t>(entry->key().data());
    if (auto visited = Checked(id, entry->value().ToStringView(), visit); !visited) return visited;
  }
  if (!entry->status().ok()) return tl::unexpected(database_->Failure(entry->status()));
  return {};
}

Result<void> RowReader::Read(std::span<const uint64_t> ids, const Visit& visit) const {
  return MultiGet(*database_, Family::kWeights, ids,
                  [&](uint64_t id, std::string_view row) { return Checked(id, row, visit); });
}

Result<void> RowReader::Checked(uint64_t id, std::string_view row, const Visit& visit) const {
  if (row.size() == row_bytes_) return visit(id, row);
  return tl::unexpected(
      database_->Corrupt(fmt::format("the row of {:016x} has {} bytes, not {}", id, row.size(), row_bytes_)));
}

}  // namespace thresher::storage
