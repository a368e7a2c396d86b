// Files of a model as another directory's: copied to disk, or linked.
//
// Used by backups. Thread-safety: pure functions of the file system's state.
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Replaces `to` by the bytes of `from`, on disk when it returns, for nobody but the owner. Of a file that
// grows meanwhile it has a beginning. Returns how many; kMissing if there is no `from`.
Result<uint64_t> CopyFile(const std::filesystem::path& from, const std::filesystem::path& to);

// Whether `to` is now another name of `from`. False where the file system or its owner's rights forbid it.
bool LinkFile(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace thresher::storage
