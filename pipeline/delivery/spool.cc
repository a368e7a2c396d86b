#include "pipeline/delivery/spool.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "storage/private_directory.h"
#include "storage/write_file.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using tokenizer::MessageKey;

// A spool file has this line, the Message-ID with a newline, and the encoded features.
constexpr std::string_view kMagic = "thresher-spool 1\n";
constexpr uint64_t kPruneEvery = 64;

uint64_t HashOf(std::string_view message_id) { return XXH3_64bits(message_id.data(), message_id.size()); }

// A file is named HASH-OF-MESSAGE-ID "-" DIGEST: all files of a Message-ID have the same prefix.
std::string Prefix(std::string_view message_id) { return fmt::format("{:016x}-", HashOf(message_id)); }

struct SpoolFile {
  std::string message_id;
  std::string features;
};

std::optional<SpoolFile> ReadSpoolFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.compare(0, kMagic.size(), kMagic) != 0) return std::nullopt;
  const size_t end_of_id = bytes.find('\n', kMagic.size());
  if (end_of_id == std::string::npos) return std::nullopt;
  return SpoolFile{bytes.substr(kMagic.size(), end_of_id - kMagic.size()), bytes.substr(end_of_id + 1)};
}

}  // namespace

Spool::Spool(fs::path dir, const SpoolLimits& limits, const tokenizer::IdSpace& id_space)
    : dir_(std::move(dir)), limits_(limits), id_space_(id_space) {}

fs::path Spool::PathOf(const MessageKey& key) const { return dir_ / (Prefix(key.message_id) + key.digest); }

Result<void> Spool::Keep(const MessageKey& key, const tokenizer::Features& features) const {
  if (auto made = storage::MakePrivateDirectory(dir_); !made) return StoreFailure(made.error());
  const fs::path temporary = dir_ / fmt::format(".{}.{}", key.digest, ::getpid());
  std::string bytes(kMagic);
  bytes.append(key.message_id).append("\n");
  tokenizer::EncodeFeatures(features, id_space_, std::vector<uint8_t>(features.size(), 1), &bytes);
  if (!storage::WritePrivateFile(temporary, bytes) || ::rename(temporary.c_str(), PathOf(key).c_str()) != 0) {
    const int reason = errno;
    std::error_code error;
    fs::remove(temporary, error);
    return tl::unexpected(Error{kIo, fmt::format("{}: {}", dir_.string(), std::strerror(reason))});
  }
  if (HashOf(key.digest) % kPruneEvery == 0) Prune();
  return {};
}

std::optional<tokenizer::Features> Spool::Find(const MessageKey& key) const {
  const std::optional<SpoolFile> file = ReadSpoolFile(PathOf(key));
  if (!file || file->message_id != key.message_id) return std::nullopt;
  return tokenizer::DecodeFeatures(file->features, id_space_);
}

Spool::Listing Spool::List() const {
  Listing names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir_, error))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<MessageKey> Spool::KeysOf(std::string_view message_id, const Listing& listing) const {
  std::vector<MessageKey> keys;
  const std::string prefix = Prefix(message_id);
  for (auto name = std::lower_bound(listing.begin(), listing.end(), prefix);
       name != listing.end() && name->starts_with(prefix); ++name) {
    const std::optional<SpoolFile> file = ReadSpoolFile(dir_ / *name);
    if (file && file->message_id == message_id)
      keys.push_back({std::string(message_id), name->substr(prefix.size())});
  }
  return keys;
}

bool Spool::Holds(const MessageKey& key) const {
  std::error_code error;
  return fs::exists(PathOf(key), error);
}

void Spool::Remove(const MessageKey& key) const {
  std::error_code error;
  fs::remove(PathOf(key), error);
}

size_t Spool::RemoveIf(const std::function<bool(std::string_view)>& is_meant) const {
  size_t removed = 0;
  for (const std::string& name : List()) {
    const std::optional<SpoolFile> file = ReadSpoolFile(dir_ / name);
    std::error_code error;
    if (file && is_meant(file->message_id)) removed += fs::remove(dir_ / name, error) ? 1 : 0;
  }
  return removed;
}

void Spool::Prune() const {
  struct Entry {
    fs::file_time_type time;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(dir_, error)) {
    const auto time = file.last_write_time(error);
    const auto bytes = error ? 0 : file.file_size(error);
    if (!error) entries.push_back({time, bytes, file.path()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time > b.time; });

  const auto max_age = std::chrono::duration<double, std::ratio<86400>>(limits_.max_age_days);
  const auto now = fs::file_time_type::clock::now();
  uint64_t kept = 0;
  uint64_t kept_bytes = 0;
  for (const Entry& entry : entries) {  // youngest first
    const bool fits = kept < limits_.max_messages && kept_bytes + entry.bytes <= limits_.max_bytes &&
                      now - entry.time <= max_age;
    if (!fits) {
      fs::remove(entry.path, error);
      continue;
    }
    ++kept;
    kept_bytes += entry.bytes;
  }
}

Spool SpoolOf(const Settings& settings, const tokenizer::IdSpace& id_space) {
  return {ModelDirectory(settings) / "spool", settings.spool_limits, id_space};
}

}  // namespace thresher::pipeline
