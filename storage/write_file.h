// Writes files and descriptors completely, and directories to the disk.
//
// Used here and by the pipeline. After a false, errno has the reason. Thread-safety: pure functions of the
// file system's state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

// After a failed read or write: whether another try may succeed, because a signal interrupted it or because
// the descriptor is non-blocking. In that case it waits until the descriptor is ready for `event`, POLLIN or
// POLLOUT.
bool CanTryAgain(int fd, short event);

// Writes all bytes to an open descriptor, with as many writes as that takes, and waits if it is non-blocking.
bool WriteAll(int fd, std::string_view bytes);

// The same at a place in a file.
bool WriteAllAt(int fd, std::string_view bytes, uint64_t at);

// Makes the file at `path` anew, with mode 0600, as it holds words of the user's mail. What was there is
// removed and not written to: it may be a link. The file is not synced.
bool WritePrivateFile(const std::filesystem::path& path, std::string_view bytes);
// The same with what write(descriptor) writes, which returns whether it could.
bool WritePrivateFile(const std::filesystem::path& path, const std::function<bool(int)>& write);

// Makes renames and new files in `dir` survive a crash of the machine.
Result<void> SyncDirectory(const std::filesystem::path& dir);

}  // namespace thresher::storage
