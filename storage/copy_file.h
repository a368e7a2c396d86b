// Copies or hard-links a model's file into another directory.
//
// Used by backups. Thread-safety: pure functions of the file system's state.
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Replaces `to` by a copy of `from` that only the owner may read and that is on disk when this returns.
// Copies a prefix of a file that grows meanwhile. Returns the number of bytes; kMissing if there is no
// `from`.
Result<uint64_t> CopyFile(const std::filesystem::path& from, const std::filesystem::path& to);

// Makes `to` a hard link to `from`. False if the file system or the rights of the file do not allow it.
bool LinkFile(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace thresher::storage
