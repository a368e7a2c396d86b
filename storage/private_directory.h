// Directories that only their owner may look into: a model's and its spool, which hold words of somebody's
// mail.
//
// Used where a model is made, and by the pipeline's spool. Thread-safety: a pure function of the file
// system's state.
#pragma once

#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Makes `dir` with mode 0700 whatever the umask, and parents it lacks with the usual one. A directory that is
// there already stays as it is.
Result<void> MakePrivateDirectory(const std::filesystem::path& dir);

}  // namespace thresher::storage
