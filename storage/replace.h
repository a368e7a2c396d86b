// Puts a complete model into its place or that of another one, in one step.
//
// Called by the pipeline for nodes of a shared log, with a backup of another node. Whatever is killed when,
// a whole model is there, if there was one. What else is in the directory, as the spool, stays.
// Thread-safety: takes the writer's lock.
#pragma once

#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// The model in `from` becomes that of `dir`, which may have none. `from` must be on the same file system, and
// on disk; it is no model any more then. kBusy if somebody writes to the model in `dir`.
Result<void> ReplaceBy(const std::filesystem::path& from, const std::filesystem::path& dir);
// The same, but fails if there is anything where `dir` has its model.
Result<void> PutInto(const std::filesystem::path& from, const std::filesystem::path& dir);

}  // namespace thresher::storage
