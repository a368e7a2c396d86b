// A view of RocksDB's files in which its list of files (MANIFEST) ends before its first damaged record.
//
// A crash of the machine may leave wrong bytes where records were written and not synced. RocksDB opens a
// database whose list ends in the middle of a record, but none whose list has such bytes. What those records
// said had not come into effect: RocksDB removes a log or a table only when the list without it is on disk.
// Used where a model is opened, after RocksDB refused the list as it is. Thread-safety: any number of
// threads.
#pragma once

#include <rocksdb/file_system.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace thresher::storage {

// Bytes of the list before its first record that is damaged or cut.
size_t IntactBytesOfList(std::string_view list);

// Whether the list of the database in `path` has more bytes than that.
bool IsListTorn(const std::filesystem::path& path);

// Forwards to `base`; only reading of lists differs.
std::shared_ptr<rocksdb::FileSystem> WithListPrefix(const std::shared_ptr<rocksdb::FileSystem>& base);

}  // namespace thresher::storage
