#include "storage/private_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "storage/system_error.h"

namespace thresher::storage {

namespace fs = std::filesystem;

Result<void> MakePrivateDirectory(const fs::path& dir) {
  const auto failure = [&dir](int error) {
    Error made = SystemError(error, fmt::format("cannot create {}", dir.string()));
    if (made.kind != ErrorKind::kFull) made.kind = ErrorKind::kDenied;  // for example, the parent is a file
    return tl::unexpected(made);
  };
  std::error_code ignored;
  if (fs::is_directory(dir, ignored)) return {};
  std::error_code error;
  const fs::path parent = (dir.has_filename() ? dir : dir.parent_path()).parent_path();  // "a/b/" means "a/b"
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) return failure(error.value());
  if (mkdir(dir.c_str(), S_IRWXU) != 0) {
    const int reason = errno;
    if (reason == EEXIST && fs::is_directory(dir, ignored)) return {};  // another process has just made it
    return failure(reason);
  }
  if (chmod(dir.c_str(), S_IRWXU) != 0)
    return failure(errno);  // the umask may remove rights of the owner, too
  return {};
}

}  // namespace thresher::storage
