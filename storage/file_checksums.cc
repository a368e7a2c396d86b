#include "storage/file_checksums.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_reader.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "storage/database_impl.h"
#include "storage/store_directory.h"

namespace thresher::storage {
namespace {

// From the file, not from what RocksDB has of it in memory.
rocksdb::Status Verify(const std::string& path, const rocksdb::Options& options) {
  rocksdb::SstFileReader file(options);
  const rocksdb::Status opened = file.Open(path);
  return opened.ok() ? file.VerifyChecksum() : opened;
}

}  // namespace

FilesRead VerifyFileChecksums(const Database& database,
                              const std::function<void(const std::string& what)>& complain) {
  rocksdb::DB& rocks = database.impl().rocks();
  FilesRead read;
  for (size_t i = 0; i < kFamilies; ++i) {
    const rocksdb::Options options = rocks.GetOptions(database.impl().family(static_cast<Family>(i)));
    rocksdb::ColumnFamilyMetaData live;
    rocks.GetColumnFamilyMetaData(database.impl().family(static_cast<Family>(i)), &live);
    for (const auto& level : live.levels) {
      for (const auto& file : level.files) {
        const auto path =
            DatabasePath(database.impl().dir()) / file.name.substr(file.name.find_last_of('/') + 1);
        const rocksdb::Status status = Verify(path.string(), options);
        std::error_code ignored;
        if (!status.ok() && !std::filesystem::exists(path, ignored)) continue;
        if (!status.ok()) complain(fmt::format("{}: {}", path.filename().string(), status.ToString()));
        ++read.files;
        read.bytes += file.size;
      }
    }
  }
  return read;
}

}  // namespace thresher::storage
