#include "pipeline/input/trec_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "pipeline/input/file_reader.h"
#include "tests/pipeline/input/compressed.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::StartsWith;

TEST(TrecIndex, TheCaseOfTheJudgementSaysWhatToDo) {
  const TestDirectory folder;
  const std::string path =
      folder.Write("full/index", "ham ../a\nspam ../b\nHam ../c\nSpam ../d\nHAM ../e\nSPAM ../f\n");
  const auto index = ReadTrecIndex(path);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_EQ(index->entries.size(), 6u);
  const bool expected[6][3] = {{false, true, true}, {true, true, true},   {false, true, false},
                               {true, true, false}, {false, false, true}, {true, false, true}};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(index->entries[i].is_spam, expected[i][0]) << i;
    EXPECT_EQ(index->entries[i].classify, expected[i][1]) << i;
    EXPECT_EQ(index->entries[i].train, expected[i][2]) << i;
  }
  EXPECT_EQ(index->entries[0].path, "../a");
  EXPECT_EQ(index->FileOf(index->entries[0]), (folder / "full/") + "../a");
}

TEST(TrecIndex, LineEndsBlanksAndCompression) {
  const TestDirectory folder;
  const std::string text = "ham a 17 genre\r\n\n  \t\r\nspam\t/b\r\n  Ham   c";
  for (const std::string& bytes : {text, Compressed("gzip", text), Compressed("zstd", text)}) {
    const auto index = ReadTrecIndex(folder.Write("index", bytes));
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_EQ(index->entries.size(), 3u);
    EXPECT_EQ(index->entries[0].path, "a");
    EXPECT_EQ(index->FileOf(index->entries[1]), "/b");
    EXPECT_EQ(index->entries[2].path, "c");
    EXPECT_EQ(index->entries[2].line, 5u);
  }
}

// The mark is not to be seen in an editor, nor in a message that shows the line.
TEST(TrecIndex, AByteOrderMarkIsNoPartOfTheFirstLine) {
  const TestDirectory folder;
  for (const char* const text : {"\xef\xbb\xbfham a\nspam b\n", "\xef\xbb\xbf\r\nham a\nspam b\n"}) {
    const auto index = ReadTrecIndex(folder.Write("index", text));
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_EQ(index->entries.size(), 2u);
    EXPECT_EQ(index->entries[0].path, "a");
  }
  EXPECT_TRUE(BeginsTrecIndex("\xef\xbb\xbfham a\n"));
  EXPECT_FALSE(ReadTrecIndex(folder.Write("index", "ham a\n\xef\xbb\xbfspam b\n")));
}

TEST(TrecIndex, ThirdAndFourthColumnAreUserAndGenre) {
  const TestDirectory folder;
  const auto index =
      ReadTrecIndex(folder.Write("index", "ham a ann list\nspam b - shop\nham c bob\nham d\n"));
  ASSERT_TRUE(index) << index.error().message;
  const char* const expected[4][2] = {{"ann", "list"}, {"", "shop"}, {"bob", ""}, {"", ""}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(index->entries[i].user, expected[i][0]) << i;
    EXPECT_EQ(index->entries[i].genre, expected[i][1]) << i;
  }
}

TEST(TrecIndex, MalformedLinesAreNamed) {
  const TestDirectory folder;
  const std::string long_line = std::string("ham ") + std::string(100000, 'x');
  for (const std::string& wrong : {std::string("hAm a"), std::string("ham"), std::string("spam \t"),
                                   std::string("# ham a"), std::string("a ham"), std::string("ham a\0b", 7),
                                   std::string("ham a ann list x"), std::string("ham a\rspam b\r"),
                                   std::string("ham a ann\rspam b"), std::string("\rham a"), long_line}) {
    const std::string path = folder.Write("index", std::string("ham a\n") + wrong + "\nspam b\n");
    const auto index = ReadTrecIndex(path);
    ASSERT_FALSE(index) << wrong.substr(0, 20);
    EXPECT_EQ(index.error().exit_code, kData);
    EXPECT_THAT(index.error().message, StartsWith(path + ":2: "));
  }
}

TEST(TrecIndex, ALineMayHave65536Bytes) {
  const TestDirectory folder;
  const std::string head = "ham a ann ";
  const std::string longest = head + std::string(65535 - head.size(), 'x') + "\n";
  const auto index = ReadTrecIndex(folder.Write("index", longest + "spam b\n"));
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(index->entries.size(), 2u);
  EXPECT_FALSE(ReadTrecIndex(folder.Write("index", "x" + longest)));
}

TEST(TrecIndex, AnEndlessBlankLineIsOneLine) {
  const TestDirectory folder;
  const std::string path = folder.Write("index", "ham a\n" + std::string(200000, ' ') + "\nspam b\n");
  const auto index = ReadTrecIndex(path);
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().message, path + ":2: the line is too long");
}

TEST(TrecIndex, MissingFile) {
  const auto index = ReadTrecIndex("/nowhere/index");
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().exit_code, kNoInput);
}

TEST(TrecIndex, EveryMessageOfARealCorpusIsFound) {
  const char* const corpora = std::getenv("THRESHER_CORPORA");
  if (corpora == nullptr) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  const auto index = ReadTrecIndex(std::string(corpora) + "/spamassassin/full/index");
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(index->entries.size(), 6047u);
  std::string bytes;
  size_t total = 0;
  for (const TrecEntry& entry : index->entries) {
    const auto extent = ReadFile(index->FileOf(entry), &bytes);
    ASSERT_TRUE(extent) << extent.error().message;
    total += bytes.size();
  }
  EXPECT_GT(total, 20u << 20);
}

}  // namespace
}  // namespace thresher::pipeline
