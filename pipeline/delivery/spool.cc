#include "pipeline/delivery/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "pipeline/delivery/spool_file.h"
#include "pipeline/delivery/spool_shares.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "pipeline/wall_clock.h"
#include "storage/private_directory.h"
#include "storage/read_file.h"
#include "storage/store_directory.h"
#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using tokenizer::MessageKey;

constexpr char kTemporary[] = ".new";  // only who holds the lock writes it
constexpr uint64_t kSpareParts = 16;   // a full spool loses a sixteenth of its limits at once
constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kNsPerDay = 86400 * kNsPerSecond;

// No message.
bool IsHidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

uint64_t HashOf(std::string_view message_id) { return XXH3_64bits(message_id.data(), message_id.size()); }

// A file is named HASH-OF-MESSAGE-ID "-" DIGEST: all files of a Message-ID have the same prefix.
std::string Prefix(std::string_view message_id) { return fmt::format("{:016x}-", HashOf(message_id)); }

Error CannotRead(const fs::path& path, int reason) {
  return {kIo, fmt::format("cannot read {}: {}", path.string(), std::strerror(reason))};
}

Error Damaged(const fs::path& path, std::string_view what) {
  return {kData, fmt::format("{} is damaged: {}; teach the message itself with `thresher learn`",
                             path.string(), what)};
}

// Whether a file's content is that of the message with this key; a file of version 1 has no digest.
bool IsOf(const MessageKey& key, const MessageKey& in_file) {
  return in_file.message_id == key.message_id && (in_file.digest.empty() || in_file.digest == key.digest);
}

void SetTimeToNow(const fs::path& path) {
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
  static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW));
}

// Nothing if there is no such file; kData if it is damaged.
Result<std::optional<SpoolFile>> ReadSpoolFile(const fs::path& path) {
  const auto bytes = storage::ReadFileIfThere(path);
  if (!bytes) return StoreFailure(bytes.error());
  if (!*bytes) return std::nullopt;
  auto file = DecodeSpoolFile(**bytes);
  if (!file) return tl::unexpected(Damaged(path, file.error()));
  return *std::move(file);
}

}  // namespace

Spool::Spool(fs::path dir, const SpoolLimits& limits, tokenizer::FeatureDecoder decoder)
    : dir_(std::move(dir)), limits_(limits), decoder_(std::move(decoder)) {}

fs::path Spool::PathOf(const MessageKey& key) const { return dir_ / (Prefix(key.message_id) + key.digest); }

Result<void> Spool::Keep(const MessageKey& key, const tokenizer::Features& features) const {
  if (limits_.max_messages == 0 || limits_.max_bytes == 0 || limits_.max_message_bytes == 0)
    return {};  // as is meant
  if (auto made = storage::MakePrivateSubdirectory(dir_); !made) return StoreFailure(made.error());
  const fs::path path = PathOf(key);
  const auto is_kept = [&path] {
    const auto kept = ReadSpoolFile(path);
    return kept && *kept;
  };
  if (is_kept()) return {};  // so that a message that comes again is not encoded again
  const std::string bytes = EncodeSpoolFile(key, features, decoder_.id_space());
  if (bytes.size() > std::min(limits_.max_message_bytes, limits_.max_bytes))
    return tl::unexpected(Error{kData, fmt::format("{} bytes are too much for the spool", bytes.size())});
  const auto usage = SpoolUsage::Lock(dir_);
  if (!usage) return tl::unexpected(usage.error());
  if (is_kept()) return {};  // another process was faster
  if (auto made = MakeRoom(*usage, bytes.size()); !made) return made;
  const fs::path temporary = dir_ / kTemporary;
  if (storage::WritePrivateFile(temporary, bytes) && ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  const int reason = errno;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return tl::unexpected(Error{kIo, fmt::format("{}: {}", dir_.string(), std::strerror(reason))});
}

// Counts a message of so many bytes and, if that would be too much, removes others first. They are counted
// once a day in any case, so that no message stays for much longer than max_age_days.
Result<void> Spool::MakeRoom(const SpoolUsage& usage, uint64_t bytes) const {
  std::optional<SpoolTotals> totals = usage.Read();
  const int64_t now = UnixNanoseconds();
  const bool is_counted = totals && totals->counted_ns <= now && now - totals->counted_ns < kNsPerDay;
  if (!is_counted || totals->messages >= limits_.max_messages || totals->bytes + bytes > limits_.max_bytes) {
    const auto left = RemoveWhatLeaves(bytes);
    if (!left) return tl::unexpected(left.error());
    totals = *left;
    totals->counted_ns = now;
  }
  ++totals->messages;
  totals->bytes += bytes;
  return usage.Write(*totals);
}

// Removes what exceeds the limits when a message of so many bytes is added, and some more, so that not every
// message has to look at all files; returns what remains.
Result<SpoolTotals> Spool::RemoveWhatLeaves(uint64_t bytes) const {
  std::vector<Spooled> spooled;
  std::vector<fs::path> paths;
  SpoolTotals totals;
  const int64_t now = UnixNanoseconds();
  std::error_code error;
  for (fs::directory_iterator entry(dir_, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat status {};
    if (name == SpoolUsage::kFileName || name == kTemporary || ::lstat(entry->path().c_str(), &status) != 0)
      continue;
    int64_t time_ns = int64_t{status.st_mtim.tv_sec} * kNsPerSecond + status.st_mtim.tv_nsec;
    // Of a clock that was ahead, as it is looked for in the log (Expiry): the message would not get old. If
    // the file cannot get another time, it counts as new again when the files are counted next.
    if (time_ns > now + kNsPerDay) {
      time_ns = now;
      SetTimeToNow(entry->path());
    }
    spooled.push_back({static_cast<uint64_t>(status.st_size), time_ns});
    paths.push_back(entry->path());
    ++totals.messages;
    totals.bytes += spooled.back().bytes;
  }
  if (error) return tl::unexpected(CannotRead(dir_, error.value()));
  const bool is_full = totals.messages >= limits_.max_messages || totals.bytes + bytes > limits_.max_bytes;
  const auto free_of = [is_full](uint64_t limit, uint64_t needed) {
    return limit - std::min(limit, needed + (is_full ? limit / kSpareParts : 0));
  };
  const SpoolRoom room{
      .messages = free_of(limits_.max_messages, 1),
      .bytes = free_of(limits_.max_bytes, bytes),
      .oldest_ns = now - static_cast<int64_t>(limits_.max_age_days * static_cast<double>(kNsPerDay))};
  for (const size_t i : WhatLeaves(spooled, limits_, room)) {
    if (!fs::remove(paths[i], error)) continue;
    --totals.messages;
    totals.bytes -= spooled[i].bytes;
  }
  return totals;
}

Result<std::optional<tokenizer::Features>> Spool::Find(const MessageKey& key) const {
  const fs::path path = PathOf(key);
  const auto file = ReadSpoolFile(path);
  if (!file) return tl::unexpected(file.error());
  if (!*file || !IsOf(key, (*file)->key)) return std::nullopt;
  auto features = FeaturesOf(**file, decoder_);
  if (!features) return tl::unexpected(Damaged(path, features.error()));
  return *std::move(features);
}

Result<Spool::Listing> Spool::List() const {
  Listing names;
  std::error_code error;
  for (fs::directory_iterator entry(dir_, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!IsHidden(entry->path())) names.push_back(entry->path().filename().string());
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return tl::unexpected(CannotRead(dir_, error.value()));
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<MessageKey> Spool::KeysOf(std::string_view message_id, const Listing& listing) const {
  std::vector<MessageKey> keys;
  const std::string prefix = Prefix(message_id);
  for (auto name = std::lower_bound(listing.begin(), listing.end(), prefix);
       name != listing.end() && name->starts_with(prefix); ++name) {
    const auto file = ReadSpoolFile(dir_ / *name);
    if (!file || (*file && (*file)->key.message_id == message_id))
      keys.push_back({std::string(message_id), name->substr(prefix.size())});
  }
  return keys;
}

Spool::Listing Spool::ListOf(const MessageKey& key) const {
  if (!Holds(key)) return {};
  return {PathOf(key).filename().string()};
}

bool Spool::Holds(const MessageKey& key) const {
  std::error_code error;
  return fs::exists(PathOf(key), error);
}

void Spool::Remove(const MessageKey& key) const {
  std::error_code error;
  fs::remove(PathOf(key), error);
}

Result<size_t> Spool::RemoveIf(const std::function<bool(std::string_view)>& is_meant) const {
  const auto names = List();
  if (!names) return tl::unexpected(names.error());
  size_t removed = 0;
  std::optional<Error> first_error;
  const auto fails = [&first_error](Error error) {
    if (!first_error) first_error = std::move(error);
  };
  for (const std::string& name : *names) {
    const fs::path path = dir_ / name;
    const auto file = ReadSpoolFile(path);
    const bool is_damaged = !file && file.error().exit_code == kData;
    if (!file && !is_damaged) fails(file.error());
    if (!is_damaged && !(file && *file && is_meant((*file)->key.message_id))) continue;
    std::error_code error;
    removed += fs::remove(path, error) && !is_damaged ? 1 : 0;
    if (error) fails({kIo, fmt::format("cannot remove {}: {}", path.string(), error.message())});
  }
  if (first_error) return tl::unexpected(*std::move(first_error));
  return removed;
}

Spool SpoolOf(const Settings& settings, const tokenizer::FeatureDecoder& decoder) {
  return {storage::SpoolPath(ModelDirectory(settings)), settings.spool_limits, decoder};
}

}  // namespace thresher::pipeline
