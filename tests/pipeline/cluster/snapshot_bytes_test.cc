// A folder as bytes and back; bytes that are none are refused.
#include "pipeline/cluster/snapshot_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

#include "storage/byte_order.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using Contents = std::map<std::string, std::string>;

void WriteFolder(const fs::path& folder, const Contents& files) {
  fs::create_directories(folder);
  for (const auto& [name, bytes] : files) std::ofstream(folder / name, std::ios::binary) << bytes;
}

Contents ReadFolder(const fs::path& folder) {
  Contents files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

std::string Packed(const fs::path& folder) {
  std::string all;
  EXPECT_TRUE(PackFolder(folder, [&](std::string_view bytes) {
                all += bytes;
                return Result<void>();
              }).has_value());
  return all;
}

// In parts of this size; false if they were refused.
bool Unpack(std::string_view bytes, size_t part, const fs::path& folder, uint64_t most = 1 << 30) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  Unpacking unpacking(folder, most);
  while (!bytes.empty()) {
    const size_t now = std::min(part, bytes.size());
    if (!unpacking.Take(bytes.substr(0, now))) return false;
    bytes.remove_prefix(now);
  }
  return unpacking.Finish().has_value();
}

std::string FileOf(const std::string& name, const std::string& bytes) {
  std::string file;
  storage::AppendLittle(static_cast<uint64_t>(bytes.size()), &file);
  storage::AppendLittle(static_cast<uint16_t>(name.size()), &file);
  return file + name + bytes;
}

TEST(SnapshotBytesTest, FilesAreWhatTheyWere) {
  const TestDirectory directory;
  const Contents files = {
      {"CURRENT", "MANIFEST-1\n"}, {"empty", ""}, {"a.log", std::string(3'000'000, '\0')}};
  WriteFolder(directory / "from", files);
  const std::string packed = Packed(directory / "from");
  for (const size_t part : {size_t{1} << 20, size_t{900'000}, packed.size()}) {
    EXPECT_TRUE(Unpack(packed, part, directory / "to"));
    EXPECT_EQ(ReadFolder(directory / "to"), files);
  }
  WriteFolder(directory / "small", {{"a", "bytes"}, {"b", ""}});
  EXPECT_TRUE(Unpack(Packed(directory / "small"), 1, directory / "to"));
  EXPECT_EQ(ReadFolder(directory / "to"), ReadFolder(directory / "small"));
}

TEST(SnapshotBytesTest, WhatIsTornOrTooLongIsRefused) {
  const TestDirectory directory;
  const std::string bytes = FileOf("a", "12345") + FileOf("b", "") + FileOf("c", "6");
  EXPECT_TRUE(Unpack(bytes, 3, directory / "to", bytes.size()));
  EXPECT_FALSE(Unpack(bytes, 3, directory / "to", bytes.size() - 1));
  EXPECT_FALSE(Unpack(FileOf("a", "1") + FileOf("a", "2"), 100, directory / "to"));
  // It is whole after each file only.
  const size_t first = FileOf("a", "12345").size();
  for (size_t size = 1; size < bytes.size(); ++size) {
    const bool is_whole = size == first || size == first + FileOf("b", "").size();
    EXPECT_EQ(Unpack(std::string_view(bytes).substr(0, size), 4, directory / "to"), is_whole) << size;
  }
}

TEST(SnapshotBytesTest, NamesLeadNowhereElse) {
  const TestDirectory directory;
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../x"), std::string("/tmp/x"),
        std::string("a/b"), std::string("a\0b", 3), std::string("\xc3\xa4"), std::string(101, 'a')}) {
    EXPECT_FALSE(Unpack(FileOf(name, "bytes"), 7, directory / "to")) << name;
    EXPECT_TRUE(ReadFolder(directory / "to").empty());
  }
}

TEST(SnapshotBytesTest, AnyBytesAreTakenOrRefused) {
  const TestDirectory directory;
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = FileOf("a", "12345") + FileOf("b", "") + FileOf("c", "6");
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    Unpack(bytes, 1 + random() % 20, directory / "to", 1000);
    for (const auto& [name, content] : ReadFolder(directory / "to")) EXPECT_LE(content.size(), 1000U);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace thresher::pipeline
