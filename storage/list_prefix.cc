#include "storage/list_prefix.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "storage/byte_order.h"
#include "storage/read_file.h"
#include "storage/rocksdb_files.h"

namespace thresher::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::FSSequentialFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A list is a sequence of blocks. A record has a header: checksum u32 LE · bytes u16 LE · type, and lies in
// one block; if the rest of a block has no room for a header, the next record begins the next block.
constexpr size_t kBlock = 32U << 10;
constexpr size_t kBytesAt = 4;
constexpr size_t kTypeAt = 6;
constexpr size_t kHeader = 7;

// Bit by bit: lists are short, and few are damaged.
uint32_t Crc32c(std::string_view bytes) {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // its bits reversed
  uint32_t rest = ~0U;
  for (const char byte : bytes) {
    rest ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
  }
  return ~rest;
}

// In the form in which RocksDB stores it.
uint32_t StoredChecksum(std::string_view bytes) {
  constexpr uint32_t kAdded = 0xa282ead8;
  const uint32_t sum = Crc32c(bytes);
  return (sum >> 15 | sum << 17) + kAdded;
}

class TextFile final : public FSSequentialFile {
 public:
  explicit TextFile(std::string text) : text_(std::move(text)) {}

  IOStatus Read(size_t n, const IOOptions& /*options*/, Slice* result, char* scratch,
                IODebugContext* /*debug*/) override {
    n = std::min(n, text_.size() - at_);
    std::copy_n(text_.data() + at_, n, scratch);
    *result = Slice(scratch, n);
    at_ += n;
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t n) override {
    at_ += std::min<uint64_t>(n, text_.size() - at_);
    return IOStatus::OK();
  }

 private:
  std::string text_;
  size_t at_ = 0;
};

class ListPrefixFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ListPrefixFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* file, IODebugContext* debug) override {
    if (!IsListOfFiles(path)) return FileSystemWrapper::NewSequentialFile(path, options, file, debug);
    std::string list;
    if (IOStatus status = rocksdb::ReadFileToString(target(), path, &list); !status.ok()) return status;
    list.resize(IntactBytesOfList(list));
    *file = std::make_unique<TextFile>(std::move(list));
    return IOStatus::OK();
  }
};

}  // namespace

size_t IntactBytesOfList(std::string_view list) {
  size_t at = 0;
  for (;;) {
    const size_t room = kBlock - at % kBlock;
    if (room < kHeader) {
      at += room;
      continue;
    }
    if (list.size() < at + kHeader) return std::min(at, list.size());
    const std::string_view record = list.substr(at, room);
    const size_t bytes = kHeader + LoadLittle<uint16_t>(record.data() + kBytesAt);
    if (bytes > record.size()) return at;
    const std::string_view checked = record.substr(kTypeAt, bytes - kTypeAt);
    if (LoadLittle<uint32_t>(record.data()) != StoredChecksum(checked)) return at;
    at += bytes;
  }
}

bool IsListTorn(const std::filesystem::path& path) {
  const auto current = ReadWholeFile(path / "CURRENT");  // names the list, in a line
  if (!current) return false;
  const auto list = ReadWholeFile(path / current->substr(0, current->find('\n')));
  return list && IntactBytesOfList(*list) < list->size();
}

std::shared_ptr<rocksdb::FileSystem> WithListPrefix(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<ListPrefixFileSystem>(base);
}

}  // namespace thresher::storage
