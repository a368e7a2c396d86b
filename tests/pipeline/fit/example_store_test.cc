#include "pipeline/fit/example_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;
using testing::ElementsAre;
using Entries = std::map<std::pair<uint32_t, uint32_t>, float>;

ExampleStore Make(const std::vector<std::map<uint64_t, float>>& rows, const std::vector<float>& targets) {
  auto store = ExampleStore::Make();
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<uint64_t> ids;
    std::vector<float> values;
    for (const auto& [id, value] : rows[i]) {  // unsorted: the last comes first
      ids.insert(ids.begin(), id);
      values.insert(values.begin(), value);
    }
    EXPECT_TRUE(store->Add(ids, values, targets[i]).has_value());
  }
  EXPECT_TRUE(store->Finish().has_value());
  return *std::move(store);
}

Entries EntriesOf(const SparseLines& lines, bool transposed) {
  Entries all;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const SparseLines::Line line = lines[i];
    EXPECT_TRUE(std::is_sorted(line.indices.begin(), line.indices.end()));
    for (size_t k = 0; k < line.size(); ++k) {
      const uint32_t j = line.indices[k];
      EXPECT_LT(j, lines.width);
      all[transposed ? std::pair(j, i) : std::pair(i, j)] = line.values[k];
    }
  }
  return all;
}

TEST(ExampleStore, ColumnsAreTheRowsTransposed) {
  std::mt19937_64 random(1);
  std::vector<std::map<uint64_t, float>> rows(50);
  Entries expected;
  std::map<uint64_t, uint32_t> columns;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    for (int k = 0; k < 8; ++k) rows[i][random() % 40 << 40] = static_cast<float>(random() % 5);
    for (auto at = rows[i].rbegin(); at != rows[i].rend(); ++at) {
      if (at->second == 0) continue;  // zeros are left out
      const auto column = columns.try_emplace(at->first, columns.size()).first->second;
      expected[{i, column}] = at->second;
    }
  }
  const ExampleStore store = Make(rows, std::vector<float>(50, 1));
  EXPECT_EQ(EntriesOf(store.View().rows, false), expected);
  EXPECT_EQ(EntriesOf(store.View().columns, true), expected);
  EXPECT_EQ(store.ids().size(), columns.size());
  for (const auto& [id, column] : columns) EXPECT_EQ(store.ids()[column], id);

  const std::vector<size_t> chosen = {40, 3, 17};
  const auto selected = store.Select(chosen);
  ASSERT_TRUE(selected.has_value());
  EXPECT_EQ(selected->size(), 3U);
  EXPECT_EQ(selected->View().rows.width, store.View().rows.width);
  Entries part;
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    for (const auto& [at, value] : expected) {
      if (at.first == chosen[i]) part[{i, at.second}] = value;
    }
  }
  EXPECT_EQ(EntriesOf(selected->View().rows, false), part);
  EXPECT_EQ(EntriesOf(selected->View().columns, true), part);
}

TEST(ExampleStore, WithoutAFolderForItsFilesThereIsNone) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/dev/null/none", 1);
  const auto store = ExampleStore::Make();
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().exit_code, kCantCreate);
}

TEST(ExampleStore, NothingIsAStoreToo) {
  const ExampleStore store = Make({}, {});
  EXPECT_EQ(store.View().rows.size(), 0U);
  EXPECT_EQ(store.View().columns.size(), 0U);
  const ExampleStore empty_rows = Make({{}, {}}, {1, -1});
  EXPECT_EQ(empty_rows.View().rows.size(), 2U);
  EXPECT_EQ(empty_rows.View().rows[1].size(), 0U);
}

TEST(ExampleStore, ClassesAreRanksOfTargets) {
  ExampleStore store = Make({{{1, 1}}, {{1, 1}}, {{1, 1}}, {{2, 1}}}, {7, -2, 7, 3});
  EXPECT_THAT(store.MakeClasses(), ElementsAre(-2, 3, 7));
  EXPECT_THAT(store.View().targets, ElementsAre(2, 0, 2, 1));
  EXPECT_EQ(store.View().classes, 3U);
}

TEST(ExampleStore, TheDigestTellsExamplesApart) {
  const uint64_t one = Make({{{1, 1}}, {{2, 1}}}, {1, -1}).Digest();
  EXPECT_EQ(one, Make({{{1, 1}}, {{2, 1}}}, {1, -1}).Digest());
  EXPECT_NE(one, Make({{{1, 1}}, {{2, 1}}}, {1, 1}).Digest());
  EXPECT_NE(one, Make({{{1, 1}}, {{2, 2}}}, {1, -1}).Digest());
  EXPECT_NE(one, Make({{{1, 1}}, {{3, 1}}}, {1, -1}).Digest());
  EXPECT_NE(one, Make({{{1, 1}, {2, 1}}, {}}, {1, -1}).Digest());
}

}  // namespace
}  // namespace thresher::pipeline
