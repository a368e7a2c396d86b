#include "storage/system_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace thresher::storage {
namespace {

struct KnownErrno {
  int number;
  ErrorKind kind;
  std::string_view advice;
};

constexpr std::array kKnown{
    KnownErrno{EACCES, ErrorKind::kDenied, ""},
    KnownErrno{EPERM, ErrorKind::kDenied, ""},
    KnownErrno{EROFS, ErrorKind::kDenied, ""},
    KnownErrno{ELOOP, ErrorKind::kDenied, ": it is a symbolic link, which is not followed here; remove it"},
    KnownErrno{ENOSPC, ErrorKind::kFull, ": free some space and try again"},
    KnownErrno{EDQUOT, ErrorKind::kFull, ": free some space and try again"},
    KnownErrno{EFBIG, ErrorKind::kFull, ": raise the limit on file sizes and try again"},
    KnownErrno{ENOENT, ErrorKind::kMissing, ""},
    KnownErrno{EAGAIN, ErrorKind::kBusy, ": another program has the store open"},
};

std::string Text(int error_number) { return std::generic_category().message(error_number); }

// RocksDB reports an errno only as text, at the end of its message.
const KnownErrno* ErrnoIn(std::string_view message) {
  const auto* found = std::find_if(kKnown.begin(), kKnown.end(), [&](const KnownErrno& known) {
    return message.find(Text(known.number)) != std::string_view::npos;
  });
  return found == kKnown.end() ? nullptr : found;
}

std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

Error SystemError(int error_number, std::string_view doing) {
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const KnownErrno& each) { return each.number == error_number; });
  const bool is_known = known != kKnown.end();
  return {is_known ? known->kind : ErrorKind::kIo,
          fmt::format("{}: {}{}", doing, Text(error_number), is_known ? known->advice : "")};
}

Error CannotRead(int error_number, const std::filesystem::path& path) {
  Error error = SystemError(error_number, fmt::format("cannot read {}", path.string()));
  if (error.kind == ErrorKind::kDenied) error.kind = ErrorKind::kUnreadable;
  return error;
}

Error RocksError(const rocksdb::Status& status, const std::filesystem::path& dir) {
  const std::string detail = OneLine(status.ToString());
  if (status.IsCorruption()) {
    return {ErrorKind::kCorrupt,
            fmt::format("{} is damaged ({}): restore a backup or train a new model", dir.string(), detail)};
  }
  const KnownErrno* known = ErrnoIn(detail);
  if (known == nullptr) {
    // "Compaction too large": there is no room for the files that a compaction would write.
    const bool is_full = status.IsNoSpace() || status.IsCompactionTooLarge();
    return {is_full ? ErrorKind::kFull : ErrorKind::kIo,
            fmt::format("{}: {}{}", dir.string(), detail, is_full ? ": free some space and try again" : "")};
  }
  if (known->number == ENOENT) {
    return {ErrorKind::kCorrupt, fmt::format("{} has lost a file ({}): restore a backup or train a new model",
                                             dir.string(), detail)};
  }
  return {known->kind, fmt::format("{}: {}{}", dir.string(), detail, known->advice)};
}

}  // namespace thresher::storage
