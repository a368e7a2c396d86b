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

// The same without parents, for a part of a model that belongs to this user: of a model that is gone, nobody
// knows which modes its directories had, and in that of another user a part would lock its owner out.
Result<void> MakePrivateSubdirectory(const std::filesystem::path& dir);

// For a new model: kDenied for root where `store`, the folder that it is to be made in, belongs to another
// user, who could not use that model. Not if everybody may write to `store`, as to /tmp, nor if it does not
// exist. Other users are let in, or not, by its mode.
Result<void> CheckMayMakeIn(const std::filesystem::path& store);

// kDenied if users other than its owner may write to `dir`.
Result<void> CheckPrivateDirectory(const std::filesystem::path& dir);
// For writers: kDenied as well if `dir` belongs to another user than this process. Root is no exception: it
// would follow the links of that user, and leave files that the user cannot write.
Result<void> CheckOwnDirectory(const std::filesystem::path& dir);
// The same for a part of a model whose directory is this user's: what to do is another thing.
Result<void> CheckOwnPart(const std::filesystem::path& part);

}  // namespace thresher::storage
