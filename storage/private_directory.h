// Makes directories that only their owner may read: that of a model and that of its spool hold words of the
// user's mail.
//
// Used where a model is made, and by the pipeline's spool. Thread-safety: a pure function of the file
// system's state.
#pragma once

#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Makes `dir` with mode 0700, whatever the umask is, and missing parents with the usual mode. Does not change
// a directory that exists.
Result<void> MakePrivateDirectory(const std::filesystem::path& dir);

}  // namespace thresher::storage
