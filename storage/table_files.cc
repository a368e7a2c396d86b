#include "storage/table_files.h"

#include <string>
#include <system_error>
#include <vector>

#include "storage/private_directory.h"
#include "storage/store_directory.h"

namespace thresher::storage {

TableFiles::~TableFiles() {
  std::error_code error;  // the next writer tries again
  std::filesystem::remove_all(NewTablesPath(impl_->dir()), error);
}

std::filesystem::path TableFiles::PathOf(Family family) const {
  return NewTablesPath(impl_->dir()) / (std::string(kFamilyNames[static_cast<size_t>(family)]) + ".sst");
}

Result<void> TableFiles::Begin() { return MakePrivateDirectory(NewTablesPath(impl_->dir())); }

Result<void> TableFiles::Write(Family family,
                               const std::function<rocksdb::Status(rocksdb::SstFileWriter&)>& fill) {
  auto* handle = impl_->family(family);
  const rocksdb::Options options = impl_->rocks().GetOptions(handle);
  rocksdb::SstFileWriter file(rocksdb::EnvOptions(options), options, handle, /*invalidate_page_cache=*/false);
  rocksdb::Status status = file.Open(PathOf(family).string());
  if (status.ok()) status = fill(file);
  if (status.ok()) {
    status = file.Finish();
    if (status.IsInvalidArgument()) return {};  // it has no entries
  }
  if (!status.ok()) return tl::unexpected(impl_->Failure(status));
  written_[static_cast<size_t>(family)] = true;
  return {};
}

Result<void> TableFiles::TakeIn() {
  std::vector<rocksdb::IngestExternalFileArg> files;
  for (size_t i = 0; i < kFamilies; ++i) {
    if (!written_[i]) continue;
    rocksdb::IngestExternalFileArg& file = files.emplace_back();
    file.column_family = impl_->family(static_cast<Family>(i));
    file.external_files = {PathOf(static_cast<Family>(i)).string()};
    file.options.move_files = true;
    file.options.write_global_seqno = false;  // RocksDB's list of files has the number
  }
  return impl_->Ingest(files);
}

}  // namespace thresher::storage
