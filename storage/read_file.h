// Reads a small file of a model whole.
//
// Used for logs and the files that say something of them. Thread-safety: a pure function of the file system's
// state.
#pragma once

#include <filesystem>
#include <string>

#include "storage/error.h"

namespace thresher::storage {

// Its bytes; empty if it is not there (a writer may remove it at any time).
Result<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace thresher::storage
