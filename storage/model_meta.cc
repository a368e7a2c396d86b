#include "storage/model_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "storage/byte_order.h"
#include "storage/rocksdb_options.h"
#include "storage/store_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

// That this program reads.
constexpr std::array<std::string_view, 11> kFormats = {"2", "3", "4",  "5",  "6",    "7",
                                                       "8", "9", "10", "11", kFormat};
constexpr std::string_view kTextPrefix = "text/";  // + the name of one of the caller's texts

std::optional<Error> WrongFormat(std::string_view found, const std::filesystem::path& dir) {
  if (std::ranges::find(kFormats, found) != kFormats.end()) return std::nullopt;
  return Error{ErrorKind::kVersion,
               fmt::format("{} has format {}, this program reads formats {} to {}: use the program that "
                           "made it, or train a new model",
                           dir.string(), found, kFormats.front(), kFormat)};
}

Error NoFormat(const std::filesystem::path& dir) {
  return {ErrorKind::kCorrupt,
          fmt::format("{} is not a model of this program, or is damaged: it does not say its format",
                      dir.string())};
}

}  // namespace

std::map<std::string, std::string> MetaEntries(const Meta& meta) {
  std::map<std::string, std::string> entries{{std::string(kFormatKey), std::string(kFormat)}};
  for (const auto& [name, text] : meta) entries.emplace(std::string(kTextPrefix) + name, text);
  return entries;
}

Result<Meta> ReadMeta(rocksdb::DB& rocks, const std::filesystem::path& dir) {
  std::string format;
  const auto status = rocks.Get(rocksdb::ReadOptions(), rocksdb::Slice(kFormatKey), &format);
  if (status.IsNotFound()) return tl::unexpected(NoFormat(dir));
  if (!status.ok()) return tl::unexpected(RocksError(status, dir));
  if (auto error = WrongFormat(format, dir)) return tl::unexpected(*error);
  Meta meta;
  const rocksdb::Slice prefix(kTextPrefix);
  const std::unique_ptr<rocksdb::Iterator> entry(rocks.NewIterator(rocksdb::ReadOptions()));
  for (entry->Seek(prefix); entry->Valid() && entry->key().starts_with(prefix); entry->Next())
    meta.emplace(entry->key().ToStringView().substr(prefix.size()), entry->value().ToStringView());
  if (!entry->status().ok()) return tl::unexpected(RocksError(entry->status(), dir));
  return meta;
}

std::string EncodeLogExtent(const LogExtent& extent) {
  std::string bytes;
  AppendLittle(extent.first_seq, &bytes);
  AppendLittle(extent.bytes, &bytes);
  return bytes;
}

std::optional<LogExtent> DecodeLogExtent(std::string_view bytes) {
  if (bytes.size() != 2 * sizeof(uint64_t)) return std::nullopt;
  return LogExtent{.first_seq = LoadLittle<uint64_t>(bytes.data()),
                   .bytes = LoadLittle<uint64_t>(bytes.data() + sizeof(uint64_t))};
}

Error WhyOtherFamilies(const std::filesystem::path& dir) {
  const std::vector<rocksdb::ColumnFamilyDescriptor> meta_only(1, AllFamilies().front());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const auto env = ReaderEnv(rocksdb::FileSystem::Default(), ListEnd::kWhole);
  const auto status = rocksdb::DB::OpenForReadOnly(ReaderOptions(LogEnd::kTorn, env.get()),
                                                   DatabasePath(dir).string(), meta_only, &handles, &opened);
  if (!status.ok()) return RocksError(status, dir);
  const std::unique_ptr<rocksdb::DB> rocks(opened);
  const Result<Meta> meta = ReadMeta(*rocks, dir);
  rocks->DestroyColumnFamilyHandle(handles.front()).PermitUncheckedError();
  // The format is right, but the families are not.
  return meta ? NoFormat(dir) : meta.error();
}

}  // namespace thresher::storage
