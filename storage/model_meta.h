// The texts of the meta family: the format version, checked at open, and the caller's own.
//
// Used where a model is opened or made. Thread-safety: one thread.
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

// Keys of the meta family that checkpoints write.
inline constexpr std::string_view kGlobalsKey = "globals";
inline constexpr std::string_view kAppliedSeqKey = "applied-seq";
inline constexpr std::string_view kLogExtentKey = "log-extent";

// Keys and values that a new model begins with.
std::map<std::string, std::string> MetaEntries(const Meta& meta);

// The caller's texts; kVersion if the model in `dir` is of a format this program does not read.
Result<Meta> ReadMeta(rocksdb::DB& rocks, const std::filesystem::path& dir);

// A log extent as it is stored; nothing if the bytes are none.
std::string EncodeLogExtent(const LogExtent& extent);
std::optional<LogExtent> DecodeLogExtent(std::string_view bytes);

// Why RocksDB would not open the model with the column families of our version.
Error WhyOtherFamilies(const std::filesystem::path& dir);

}  // namespace thresher::storage
