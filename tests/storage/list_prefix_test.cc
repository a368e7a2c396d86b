#include "storage/list_prefix.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// A list of files as RocksDB writes it. Its records have the first and last keys of tables, which are long
// here, so that it has several blocks and records that lie in two of them.
std::string MakeList() {
  const TestDirectory scratch;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  rocksdb::DB* opened = nullptr;
  EXPECT_TRUE(rocksdb::DB::Open(options, scratch.model().string(), &opened).ok());
  const std::unique_ptr<rocksdb::DB> rocks(opened);
  for (const char each : {'a', 'b', 'c', 'd', 'e', 'f', 'g'}) {
    EXPECT_TRUE(rocks->Put({}, std::string(5000, each), "").ok());
    EXPECT_TRUE(rocks->Flush({}).ok());
  }
  for (const auto& entry : fs::directory_iterator(scratch.model())) {
    if (!entry.path().filename().string().starts_with("MANIFEST")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  return {};
}

TEST(ListPrefixTest, IsAllOfAnIntactList) {
  const std::string list = MakeList();
  ASSERT_GT(list.size(), size_t{2} * 32768);
  EXPECT_EQ(IntactBytesOfList(list), list.size());
  EXPECT_EQ(IntactBytesOfList(""), 0);
}

TEST(ListPrefixTest, EndsBeforeTheFirstRecordThatIsDamagedOrCut) {
  const std::string list = MakeList();
  size_t begin = 0;  // of the record that holds the byte
  for (size_t at = 0; at < list.size(); at += 61) {
    SCOPED_TRACE(at);
    std::string damaged = list;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    const size_t intact = IntactBytesOfList(damaged);
    EXPECT_LE(intact, at);
    EXPECT_GE(intact, begin);
    begin = intact;
    EXPECT_EQ(IntactBytesOfList(std::string_view(list).substr(0, at)), intact);
    EXPECT_EQ(IntactBytesOfList(list.substr(0, intact)), intact);
  }
  EXPECT_GT(begin, list.size() - 11000);  // the last record has two keys
}

// As some file systems leave a file whose content did not come to the disk.
TEST(ListPrefixTest, EndsBeforeZeros) {
  const std::string list = MakeList();
  EXPECT_EQ(IntactBytesOfList(list + std::string(100, '\0')), list.size());
}

}  // namespace
}  // namespace thresher::storage
