// The entries of the family `meta`: the format version, which is checked when a model is opened, and the
// texts of the caller.
//
// Used where a model is opened or made, and by checkpoints. Thread-safety: one thread.
#pragma once

#include <rocksdb/db.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/log_extent.h"

namespace thresher::storage {

// The format that this program writes. An older store gets it with the next write.
inline constexpr std::string_view kFormat = "12";

// Keys of the family `meta` that checkpoints write.
inline constexpr std::string_view kFormatKey = "format";
inline constexpr std::string_view kGlobalsKey = "globals";
inline constexpr std::string_view kAppliedSeqKey = "applied-seq";
inline constexpr std::string_view kLogExtentKey = "log-extent";
inline constexpr std::string_view kKeptKey = "kept";      // kept_examples.h
inline constexpr std::string_view kKeptPrefix = "kept/";  // + the number of an example
inline constexpr std::string_view kNotePrefix = "note/";  // + the name of a note (example_log.h)

// There while table files may hold examples that were replaced (DatabaseImpl::RewriteIfDue).
inline constexpr std::string_view kRewriteDueKey = "rewrite-due";

// Entries to put, or to remove (nothing).
using MetaChanges = std::map<std::string, std::optional<std::string>>;

// The keys and values of a new model.
std::map<std::string, std::string> MetaEntries(const Meta& meta);

// The caller's texts; kVersion if this program does not read the format of the model in `dir`.
Result<Meta> ReadMeta(rocksdb::DB& rocks, const std::filesystem::path& dir);

// The stored form of a log extent; nothing if `bytes` are not one.
std::string EncodeLogExtent(const LogExtent& extent);
std::optional<LogExtent> DecodeLogExtent(std::string_view bytes);

// Why RocksDB could not open the model with the column families of this version.
Error WhyOtherFamilies(const std::filesystem::path& dir);

}  // namespace thresher::storage
