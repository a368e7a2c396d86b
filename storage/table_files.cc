#include "storage/table_files.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

#include "storage/private_directory.h"
#include "storage/store_directory.h"

namespace thresher::storage {

TableFiles::~TableFiles() {
  if (!impl_->CheckPlace()) return;
  std::error_code error;  // the next writer tries again
  std::filesystem::remove_all(NewTablesPath(impl_->dir()), error);
}

std::filesystem::path TableFiles::PathOf(size_t family, size_t part) const {
  return NewTablesPath(impl_->dir()) / fmt::format("{}{}.sst", kFamilyNames[family], part);
}

Result<void> TableFiles::Begin() { return MakePrivateSubdirectory(NewTablesPath(impl_->dir())); }

Result<void> TableFiles::Write(Family family,
                               const std::function<rocksdb::Status(rocksdb::SstFileWriter&)>& fill,
                               size_t part) {
  const auto number = static_cast<size_t>(family);
  auto* handle = impl_->family(family);
  const rocksdb::Options options = impl_->rocks().GetOptions(handle);
  rocksdb::SstFileWriter file(rocksdb::EnvOptions(options), options, handle, /*invalidate_page_cache=*/false);
  rocksdb::Status status = file.Open(PathOf(number, part).string());
  if (status.ok()) status = fill(file);
  if (status.ok()) {
    status = file.Finish();
    if (status.IsInvalidArgument()) return {};  // it has no entries
  }
  if (!status.ok()) return tl::unexpected(impl_->Failure(status));
  written_[number][part] = true;
  return {};
}

Result<void> TableFiles::TakeIn() {
  std::vector<rocksdb::IngestExternalFileArg> files;
  for (size_t i = 0; i < kFamilies; ++i) {
    rocksdb::IngestExternalFileArg family;
    for (size_t part = 0; part < kParts; ++part) {
      if (written_[i][part]) family.external_files.push_back(PathOf(i, part).string());
    }
    if (family.external_files.empty()) continue;
    family.column_family = impl_->family(static_cast<Family>(i));
    family.options.move_files = true;
    family.options.write_global_seqno = false;  // RocksDB's list of files has the number
    files.push_back(std::move(family));
  }
  return impl_->Ingest(files);
}

}  // namespace thresher::storage
