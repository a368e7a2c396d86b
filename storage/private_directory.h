// Directories that only their owner may read and write: that of a model and that of its spool hold words of
// the user's mail.
//
// Where others can write, they can put links in the place of files that thresher writes, and files of their
// own in the place of those that it reads. Used where a model is opened or made, and by the pipeline's spool.
// Thread-safety: pure functions of the file system's state.
#pragma once

#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

// Makes `dir` with mode 0700, whatever the umask is, and missing parents with the usual mode; all of them
// survive a crash of the machine. Does not change a directory that exists, but refuses it as
// CheckOwnDirectory does.
Result<void> MakePrivateDirectory(const std::filesystem::path& dir);

// The same without parents, for a part of a model: of a model that is gone, nobody knows which modes its
// directories had.
Result<void> MakePrivateSubdirectory(const std::filesystem::path& dir);

// kDenied if users other than its owner may write to `dir`.
Result<void> CheckPrivateDirectory(const std::filesystem::path& dir);
// For writers: kDenied as well if `dir` belongs to another user than this process. Root is no exception: it
// would follow the links of that user, and leave files that the user cannot write.
Result<void> CheckOwnDirectory(const std::filesystem::path& dir);

}  // namespace thresher::storage
