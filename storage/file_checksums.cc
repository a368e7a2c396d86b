#include "storage/file_checksums.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_reader.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "storage/database_impl.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

// Reads the file itself, not what RocksDB has of it in memory.
rocksdb::Status Verify(const std::string& path, const rocksdb::Options& options) {
  rocksdb::SstFileReader file(options);
  const rocksdb::Status opened = file.Open(path);
  return opened.ok() ? file.VerifyChecksum() : opened;
}

}  // namespace

FilesRead VerifyFileChecksums(const Database& database,
                              const std::function<void(const Error& error)>& complain) {
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  FilesRead read;
  for (size_t i = 0; i < kFamilies; ++i) {
    auto* const family = impl.family(static_cast<Family>(i));
    const rocksdb::Options options = impl.rocks().GetOptions(family);
    rocksdb::ColumnFamilyMetaData live;
    impl.rocks().GetColumnFamilyMetaData(family, &live);
    for (const auto& level : live.levels) {
      for (const auto& file : level.files) {
        const auto path = DatabasePath(impl.dir()) / file.name.substr(file.name.find_last_of('/') + 1);
        const rocksdb::Status status = Verify(path.string(), options);
        std::error_code ignored;
        if (!status.ok() && !std::filesystem::exists(path, ignored)) continue;
        if (!status.ok()) {
          complain({RocksError(status, path).kind,
                    fmt::format("{}: {}", path.filename().string(), status.ToString())});
        }
        ++read.files;
        read.bytes += file.size;
      }
    }
  }
  return read;
}

}  // namespace thresher::storage
