// Plain files and descriptors, written whole.
//
// Used here and by the pipeline. errno says why a false was returned. Thread-safety: pure functions of the
// file system's state.
#pragma once

#include <filesystem>
#include <string_view>

namespace thresher::storage {

// To an open descriptor, however many writes that takes.
bool WriteAll(int fd, std::string_view bytes);

// Makes or empties the file at `path`, with mode 0600 where it is new: it holds words of somebody's mail. Not
// on disk when it returns.
bool WritePrivateFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace thresher::storage
