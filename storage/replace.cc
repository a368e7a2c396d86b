#include "storage/replace.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>

#include "storage/database.h"
#include "storage/private_directory.h"
#include "storage/score_image.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"
#include "storage/write_file.h"
#include "storage/writer_lock.h"

namespace thresher::storage {

namespace fs = std::filesystem;

namespace {

Result<void> MoveModel(const fs::path& from, const fs::path& dir, bool may_replace) {
  if (auto exists = Database::CheckExists(from); !exists) return exists;
  if (!may_replace) {
    if (auto may = CheckMayMakeIn(dir.parent_path()); !may) return may;
  }
  if (auto made = MakePrivateDirectory(dir); !made) return made;
  const auto lock = WriterLock::Acquire(dir, std::chrono::milliseconds(0));
  if (!lock) return tl::unexpected(lock.error());
  // Readers use the database until the next checkpoint makes an image of it.
  if (auto withdrawn = ScoreImage::Withdraw(dir); !withdrawn) return withdrawn;
  const fs::path old = DatabasePath(dir);
  const fs::path next = DatabasePath(from);
  std::error_code unknown;
  const bool is_there = fs::exists(old, unknown);
  const unsigned flags = may_replace && is_there ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  const auto renamed = [&](unsigned how) {
    return ::renameat2(AT_FDCWD, next.c_str(), AT_FDCWD, old.c_str(), how) == 0;
  };
  // Some file systems know no flags (EINVAL). Whoever else makes a model has the writer's lock.
  if (!renamed(flags) && (errno != EINVAL || is_there || unknown || !renamed(0)))
    return tl::unexpected(SystemError(errno, fmt::format("cannot replace {}", old.string())));
  return SyncDirectory(dir);
}

}  // namespace

Result<void> ReplaceBy(const fs::path& from, const fs::path& dir) { return MoveModel(from, dir, true); }

Result<void> PutInto(const fs::path& from, const fs::path& dir) { return MoveModel(from, dir, false); }

}  // namespace thresher::storage
