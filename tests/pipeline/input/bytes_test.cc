// Files as bytes and as lines, compressed or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "pipeline/input/file_reader.h"
#include "pipeline/input/line_reader.h"
#include "pipeline/input/whole_line.h"
#include "tests/pipeline/input/compressed.h"
#include "tests/pipeline/input/read_messages.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CompressionTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, CompressionTest, testing::Values("gzip", "bzip2", "xz", "zstd"));

TEST_P(CompressionTest, WholeFilesOfAnySize) {
  const TestDirectory folder;
  for (const size_t size : {0u, 1u, 9u, 4095u, 4096u, 4097u, 65536u, 150000u}) {
    const std::string bytes = RandomBytes(size, size);
    const std::string path = folder.Write("file", Compressed(GetParam(), bytes));
    std::string read = "old";
    const auto extent = ReadFile(path, &read);
    ASSERT_TRUE(extent) << extent.error().message;
    EXPECT_EQ(*extent, Extent::kWhole);
    EXPECT_TRUE(read == bytes) << size;
  }
}

TEST_P(CompressionTest, SeveralStreamsInOneFile) {
  const TestDirectory folder;
  const std::string path =
      folder.Write("file", Compressed(GetParam(), "one\n") + Compressed(GetParam(), "two\n"));
  std::string read;
  ASSERT_TRUE(ReadFile(path, &read));
  EXPECT_EQ(read, "one\ntwo\n");
}

TEST_P(CompressionTest, EveryTruncationIsAnErrorThatNamesTheFile) {
  const TestDirectory folder;
  const std::string compressed = Compressed(GetParam(), RandomBytes(300, 1));
  for (size_t size = kMagicBytes; size < compressed.size(); size += size + 20 < compressed.size() ? 5 : 1) {
    const std::string path = folder.Write("cut", std::string_view(compressed).substr(0, size));
    std::string read;
    const auto extent = ReadFile(path, &read);
    ASSERT_FALSE(extent) << size;
    EXPECT_EQ(extent.error().exit_code, kData);
    EXPECT_THAT(extent.error().message, HasSubstr(path));
  }
}

TEST_P(CompressionTest, DamageNeverEscapesAsAnException) {
  const TestDirectory folder;
  const std::string bytes = RandomBytes(2000, 2);
  const std::string compressed = Compressed(GetParam(), bytes);
  size_t errors = 0;
  for (size_t at = kMagicBytes; at < compressed.size(); at += 7) {
    std::string damaged = compressed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    std::string read;
    if (!ReadFile(folder.Write("damaged", damaged), &read)) ++errors;
  }
  EXPECT_GT(errors, 10u);
}

TEST_P(CompressionTest, MessagesBeforeTheDamageAreDelivered) {
  const TestDirectory folder;
  std::string mbox;
  for (int i = 0; i < 60; ++i) mbox += std::string(kFrom) + "Subject: x\n\n" + RandomBytes(20000, 7) + "\n\n";
  const std::string compressed = Compressed(GetParam(), mbox);
  const Messages all =
      ReadMessages(folder.Write("mbox", std::string_view(compressed).substr(0, compressed.size() - 3)));
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].exit_code, kData);
  EXPECT_GT(all.bytes.size(), 10u);
  EXPECT_LT(all.bytes.size(), 60u);
}

TEST_P(CompressionTest, ABombIsCutAtTheLimit) {
  const TestDirectory folder;
  const std::string path = folder.Write("bomb", Compressed(GetParam(), std::string(8u << 20, 'a')));
  std::string read;
  const auto extent = ReadFile(path, &read, 1000);
  ASSERT_TRUE(extent);
  EXPECT_EQ(*extent, Extent::kCut);
  EXPECT_EQ(read, std::string(1000, 'a'));
}

TEST(ReadFile, PlainFilesAndTheLimit) {
  const TestDirectory folder;
  std::string read;
  for (const size_t size : {0u, 1u, 99u, 100u, 101u, 1000u}) {
    const std::string bytes = RandomBytes(size, size);
    const auto extent = ReadFile(folder.Write("file", bytes), &read, 100);
    ASSERT_TRUE(extent);
    EXPECT_EQ(*extent, size <= 100 ? Extent::kWhole : Extent::kCut);
    EXPECT_EQ(read, bytes.substr(0, 100));
  }
}

TEST(ReadFile, ACompressedFileLongerThanTheLimitIsStillRead) {
  const TestDirectory folder;
  const std::string bytes = RandomBytes(5000, 3);
  std::string read;
  const auto extent = ReadFile(folder.Write("file", Compressed("gzip", bytes)), &read, 1000);
  ASSERT_TRUE(extent) << extent.error().message;
  EXPECT_EQ(*extent, Extent::kCut);
  EXPECT_EQ(read, bytes.substr(0, 1000));
}

TEST(ReadFile, FilesWithoutASize) {
  std::string read;
  ASSERT_TRUE(ReadFile("/proc/self/status", &read));
  EXPECT_THAT(read, StartsWith("Name:"));
}

TEST(ReadFile, PipesAreReadToTheirEnd) {
  const TestDirectory folder;
  const std::string path = (folder / "pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string bytes = RandomBytes(300000, 4);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  std::string read;
  const auto extent = ReadFile(path, &read);
  writer.join();
  ASSERT_TRUE(extent);
  EXPECT_TRUE(read == bytes);
}

TEST(ReadFile, WhatIsNotThereOrNoFile) {
  const TestDirectory folder;
  std::string read;
  for (const std::string& path : {(folder / "missing"), (folder / "")}) {
    const auto extent = ReadFile(path, &read);
    ASSERT_FALSE(extent);
    EXPECT_EQ(extent.error().exit_code, kNoInput);
    EXPECT_THAT(extent.error().message, StartsWith(path));
  }
}

TEST(LineReader, PiecesJoinToTheStream) {
  const TestDirectory folder;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes;
    while (bytes.size() < 400000) {
      bytes += RandomBytes(random() % 5 == 0 ? 100000 : random() % 100, random());
      bytes += random() % 2 == 0 ? "\n" : "\r\n";
    }
    auto stream = OpenStream(folder.Write("file", bytes));
    ASSERT_TRUE(stream);
    LineReader lines(std::move(*stream));
    std::string joined;
    bool at_begin = true;
    for (auto piece = lines.Next(); !piece->bytes.empty(); piece = lines.Next()) {
      EXPECT_EQ(piece->begins_line, at_begin);
      EXPECT_LE(piece->bytes.size(), LineReader::kPieceBytes);
      EXPECT_EQ(piece->bytes.substr(0, piece->bytes.size() - 1).find('\n'), std::string::npos);
      at_begin = piece->ends_line();
      joined += piece->bytes;
    }
    EXPECT_TRUE(joined == bytes);
  }
}

TEST(NextLine, LeavesOutTheRestOfALineThatIsTooLong) {
  const TestDirectory folder;
  const std::string longest(99'999, 'a');
  auto stream = OpenStream(folder.Write("file", longest + "\n\n" + longest + "b\nc\n" + longest + "bc"));
  ASSERT_TRUE(stream);
  LineReader lines(std::move(*stream));
  std::string line;
  const auto next = [&] { return NextLine(&lines, &line, longest.size() + 1).value(); };
  EXPECT_EQ(next(), LineRead::kLine);
  EXPECT_EQ(line, longest + "\n");
  EXPECT_EQ(next(), LineRead::kLine);
  EXPECT_EQ(line, "\n");
  EXPECT_EQ(next(), LineRead::kTooLong);
  EXPECT_EQ(next(), LineRead::kLine);
  EXPECT_EQ(line, "c\n");
  EXPECT_EQ(next(), LineRead::kTooLong);
  EXPECT_EQ(next(), LineRead::kEnd);
}

}  // namespace
}  // namespace thresher::pipeline
