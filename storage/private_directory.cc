#include "storage/private_directory.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "storage/system_error.h"
#include "storage/write_file.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 07777;

std::string NameOfUser(uid_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> texts{};
  if (getpwuid_r(user, &entry, texts.data(), texts.size(), &found) != 0 || found == nullptr)
    return fmt::format("user {}", user);
  return entry.pw_name;
}

Result<struct stat> StatusOf(const fs::path& dir) {
  struct stat status {};
  if (stat(dir.c_str(), &status) == 0) return status;
  return tl::unexpected(SystemError(errno, fmt::format("cannot read {}", dir.string())));
}

Error CannotCreate(const fs::path& dir, int reason) {
  Error error = SystemError(reason, fmt::format("cannot create {}", dir.string()));
  if (error.kind != ErrorKind::kFull) error.kind = ErrorKind::kDenied;  // for example, the parent is a file
  return error;
}

// Makes `dir` with the usual mode, if it is missing, after its parents. `dir` may be empty: the current one.
Result<void> MakeWithParents(const fs::path& dir) {
  std::error_code ignored;
  if (dir.empty() || fs::is_directory(dir, ignored)) return {};
  const fs::path parent = dir.parent_path();
  if (auto made = MakeWithParents(parent); !made) return made;
  if (mkdir(dir.c_str(), S_IRWXU | S_IRWXG | S_IRWXO) != 0) {
    const int reason = errno;
    if (reason == EEXIST && fs::is_directory(dir, ignored)) return {};  // another process has just made it
    return tl::unexpected(CannotCreate(dir, reason));
  }
  return SyncDirectory(parent.empty() ? "." : parent);
}

Error BelongsTo(uid_t owner, const fs::path& dir) {
  const std::string name = NameOfUser(owner);
  return {ErrorKind::kDenied, fmt::format("{} belongs to {}: only {} may write there. Run the command as {}",
                                          dir.string(), name, name, name)};
}

// Makes `dir`, or has `check` look at what is there.
Result<void> MakePrivate(const fs::path& dir, Result<void> (*check)(const fs::path&)) {
  std::error_code ignored;
  if (fs::is_directory(dir, ignored)) return check(dir);
  if (mkdir(dir.c_str(), S_IRWXU) != 0) {
    const int reason = errno;
    if (reason == EEXIST && fs::is_directory(dir, ignored)) return check(dir);  // as above
    return tl::unexpected(CannotCreate(dir, reason));
  }
  if (chmod(dir.c_str(), S_IRWXU) != 0)
    return tl::unexpected(CannotCreate(dir, errno));  // the umask may remove rights of the owner, too
  return SyncDirectory(dir.has_parent_path() ? dir.parent_path() : ".");
}

}  // namespace

Result<void> MakePrivateDirectory(const fs::path& named) {
  const fs::path dir = named.has_filename() ? named : named.parent_path();  // "a/b/" means "a/b"
  if (auto made = MakeWithParents(dir.parent_path()); !made) return made;
  return MakePrivate(dir, CheckOwnDirectory);
}

Result<void> MakePrivateSubdirectory(const fs::path& dir) {
  const fs::path model = dir.parent_path();
  std::error_code ignored;
  if (fs::is_directory(model, ignored)) {  // if not, making the part fails
    if (auto own = CheckOwnDirectory(model); !own) return own;
  }
  return MakePrivate(dir, CheckOwnPart);
}

Result<void> CheckMayMakeIn(const fs::path& named) {
  const fs::path store = named.empty() ? "." : named;
  struct stat status {};
  if (geteuid() != 0 || stat(store.c_str(), &status) != 0) return {};  // who makes it says what is wrong
  if (status.st_uid == 0 || (status.st_mode & S_IWOTH) != 0) return {};
  return tl::unexpected(BelongsTo(status.st_uid, store));
}

Result<void> CheckPrivateDirectory(const fs::path& dir) {
  const auto status = StatusOf(dir);
  if (!status) return tl::unexpected(status.error());
  if ((status->st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return tl::unexpected(Error{
      ErrorKind::kDenied,
      fmt::format(
          "{} has mode {:04o}: other users could put files and links there. Allow only its owner to write "
          "(`chmod go-w {}`)",
          dir.string(), status->st_mode & kMode, dir.string())});
}

Result<void> CheckOwnDirectory(const fs::path& dir) {
  const auto status = StatusOf(dir);
  if (!status) return tl::unexpected(status.error());
  if (status->st_uid == geteuid()) return CheckPrivateDirectory(dir);
  return tl::unexpected(BelongsTo(status->st_uid, dir));
}

Result<void> CheckOwnPart(const fs::path& part) {
  const auto status = StatusOf(part);
  if (!status) return tl::unexpected(status.error());
  if (status->st_uid == geteuid()) return CheckPrivateDirectory(part);
  const std::string owner = NameOfUser(status->st_uid);
  const std::string whole = NameOfUser(geteuid());
  return tl::unexpected(
      Error{ErrorKind::kDenied, fmt::format("{} belongs to {}, but the model to {}: root can give it to {} "
                                            "(`chown -R {} {}`)",
                                            part.string(), owner, whole, whole, whole, part.string())});
}

}  // namespace thresher::storage
