// Reads a file of a model whole.
//
// Used for logs, the files that say something of them, and the spool. Thread-safety: a pure function of the
// file system's state.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "storage/error.h"

namespace thresher::storage {

// Its bytes; nothing if it is not there (a writer may remove it at any time). A link is not
// followed, and a pipe, which is no file of a model, is not waited for.
Result<std::optional<std::string>> ReadFileIfThere(const std::filesystem::path& path);
// The same; empty if it is not there.
Result<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace thresher::storage
