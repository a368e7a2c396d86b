// Files, compressed files, mboxes, folders, Maildirs and standard input as messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/input/from_line.h"
#include "pipeline/input/line_reader.h"
#include "pipeline/input/source.h"
#include "tests/pipeline/compressed.h"
#include "tests/pipeline/temporary_folder.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kFrom = "From joe@example.com Thu Aug 22 12:36:23 2002\n";

struct Messages {
  std::vector<std::string> names;
  std::vector<std::string> bytes;
  std::vector<Error> errors;
};

Messages ReadMessages(const std::string& path, Format format = Format::kAuto, size_t limit = kMessageLimit) {
  Messages all;
  auto source = OpenSource(path, format, limit);
  if (!source) {
    all.errors.push_back(source.error());
    return all;
  }
  RawMessage message;
  for (int calls = 0; calls < 10000; ++calls) {
    const Result<bool> more = (*source)->Next(&message);
    if (!more) {
      all.errors.push_back(more.error());
      continue;
    }
    if (!*more) return all;
    all.names.push_back(message.name);
    all.bytes.push_back(message.bytes);
  }
  ADD_FAILURE() << path << " does not end";
  return all;
}

std::string RandomBytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 64 + (random() % 16 == 0 ? 0 : 32));
  return bytes;
}

class CompressionTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, CompressionTest, testing::Values("gzip", "bzip2", "xz", "zstd"));

TEST_P(CompressionTest, WholeFilesOfAnySize) {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  const std::string path =
      folder.Write("file", Compressed(GetParam(), "one\n") + Compressed(GetParam(), "two\n"));
  std::string read;
  ASSERT_TRUE(ReadFile(path, &read));
  EXPECT_EQ(read, "one\ntwo\n");
}

TEST_P(CompressionTest, EveryTruncationIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  const std::string path = folder.Write("bomb", Compressed(GetParam(), std::string(8u << 20, 'a')));
  std::string read;
  const auto extent = ReadFile(path, &read, 1000);
  ASSERT_TRUE(extent);
  EXPECT_EQ(*extent, Extent::kCut);
  EXPECT_EQ(read, std::string(1000, 'a'));
}

TEST(ReadFile, PlainFilesAndTheLimit) {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  const std::string path = folder.PathOf("pipe");
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
  const TemporaryFolder folder;
  std::string read;
  for (const std::string& path : {folder.PathOf("missing"), folder.PathOf("")}) {
    const auto extent = ReadFile(path, &read);
    ASSERT_FALSE(extent);
    EXPECT_EQ(extent.error().exit_code, kNoInput);
    EXPECT_THAT(extent.error().message, StartsWith(path));
  }
}

TEST(LineReader, PiecesJoinToTheStream) {
  const TemporaryFolder folder;
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

TEST(FromLine, IsStrict) {
  for (const char* line : {
           "From joe@example.com Thu Aug 22 12:36:23 2002\n",
           "From joe@example.com  Thu Aug  2 12:36:23 2002\r\n",
           "From joe@example.com Thu Aug 22 12:36 2002",
           "From joe@example.com Thu Aug 22 12:36:23 CEST 2002",
           "From joe@example.com Thu Aug 22 12:36:23 +0200 2002",
           "From joe@example.com Thu Aug 22 12:36:23 2002 -0500",
           "From - Thu Aug 22 12:36:23 2002",
           "From MAILER-DAEMON Thu Aug 22 12:36:23 2002",
           "From \"joe doe\"@example.com Thu Aug 22 12:36:23 2002",
       }) {
    EXPECT_TRUE(IsFromLine(line)) << line;
  }
  for (const char* line : {
           "",
           "From",
           "From ",
           ">From joe@example.com Thu Aug 22 12:36:23 2002",
           "from joe@example.com Thu Aug 22 12:36:23 2002",
           "From: joe@example.com Thu Aug 22 12:36:23 2002",
           "From Thu Aug 22 12:36:23 2002",
           "From joe@example.com",
           "From what I hear, it is over.",
           "From joe@example.com Thu Aug 22 2002",
           "From joe@example.com Aug 22 12:36:23 2002",
           "From joe@example.com Thu Aug 22 12:36:23 02",
           "From the desk of Joe Thu Aug 22 12:36:23 2002",
           "From joe@example.com Thu Aug 22 12:36:23 2002 was the day",
           "From \"joe Thu Aug 22 12:36:23 2002",
       }) {
    EXPECT_FALSE(IsFromLine(line)) << line;
  }
}

TEST(Mbox, SplitsOnlyAtFromLinesAfterAnEmptyLine) {
  const TemporaryFolder folder;
  const std::string from(kFrom);
  const std::string first =
      from + "Subject: a\n\nbody\n" + from + ">From quoted\nFrom what I hear\n\nFrom here on\n";
  const std::string second = from + "Subject: b\n\n\nx\n";
  const std::string third = from + "Subject: no body\n";
  const std::string path = folder.Write("mbox", first + "\n" + second + "\n" + third);
  const Messages all = ReadMessages(path);
  EXPECT_THAT(all.errors, IsEmpty());
  EXPECT_THAT(all.bytes, ElementsAre(first, second, third));
  EXPECT_THAT(all.names, ElementsAre(path + "#1", path + "#2", path + "#3"));
}

TEST(Mbox, KeepsCrLf) {
  const TemporaryFolder folder;
  const std::string from = "From joe@example.com Thu Aug 22 12:36:23 2002\r\n";
  const std::string path =
      folder.Write("mbox", from + "A: 1\r\n\r\nx\r\n\r\n" + from + "B: 2\r\n\r\ny\r\n\r\n");
  EXPECT_THAT(ReadMessages(path).bytes, ElementsAre(from + "A: 1\r\n\r\nx\r\n", from + "B: 2\r\n\r\ny\r\n"));
}

TEST(Mbox, OneMessageIsNamedByItsFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("mail", std::string(kFrom) + "Subject: a\n\nbody\n");
  EXPECT_THAT(ReadMessages(path).names, ElementsAre(path));
}

TEST(Mbox, MustBeOneWhereAskedFor) {
  const TemporaryFolder folder;
  const Messages all = ReadMessages(
      folder.Write("mail", std::string("Subject: a\n\nbody\n\n") + std::string(kFrom)), Format::kMbox);
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].exit_code, kData);
  EXPECT_THAT(all.bytes, IsEmpty());
}

TEST(Mbox, MessagesOverTheLimitAreCutAndTheNextIsFound) {
  const TemporaryFolder folder;
  const std::string from(kFrom);
  const std::string path =
      folder.Write("mbox", from + "\n" + std::string(300000, 'x') + "\n\n" + from + "\nend\n");
  auto source = OpenSource(path, Format::kAuto, 1000);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_TRUE(message.is_cut);
  EXPECT_EQ(message.bytes.size(), 1000u);
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_FALSE(message.is_cut);
  EXPECT_EQ(message.bytes, from + "\nend\n");
  EXPECT_FALSE((*source)->Next(&message).value());
}

// The splitter against splitting the whole text at once.
TEST(Mbox, EqualsItsTwinOnRandomMboxes) {
  const TemporaryFolder folder;
  const std::vector<std::string> lines = {
      std::string(kFrom), "\n", "\r\n", "text\n", ">From x\n", "From x\n", std::string(70000, 'y') + "\n"};
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::string> expected;
    std::string text;
    std::string last;
    for (size_t i = 0; i < 30; ++i) {
      const std::string& line = i == 0 ? lines[0] : lines[random() % (random() % 8 == 0 ? 7 : 6)];
      const bool after_empty = last == "\n" || last == "\r\n";
      if (i == 0 || (line == kFrom && after_empty)) {
        if (i > 0) expected.back().resize(expected.back().size() - last.size());
        expected.emplace_back();
      }
      expected.back() += line;
      text += line;
      last = line;
    }
    if (last == "\n" || last == "\r\n") expected.back().resize(expected.back().size() - last.size());
    EXPECT_EQ(ReadMessages(folder.Write("mbox", text)).bytes, expected) << "seed " << seed;
  }
}

TEST(Source, EmptyFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("empty", "");
  EXPECT_THAT(ReadMessages(path, Format::kAuto).bytes, IsEmpty());
  EXPECT_THAT(ReadMessages(path, Format::kMbox).bytes, IsEmpty());
  EXPECT_THAT(ReadMessages(path, Format::kMessage).bytes, ElementsAre(""));
}

TEST(Source, AnyBytesAreAMessage) {
  const TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes(1 + random() % 1000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? '\n' : random());
    EXPECT_THAT(ReadMessages(folder.Write("file", bytes)).bytes, ElementsAre(bytes));
  }
}

TEST(Source, FoldersAreSortedAndRecursiveWithoutDotNames) {
  const TemporaryFolder folder;
  for (const char* name : {"b", "a/2", "a/10", "a/x/y", "c", ".hidden", ".git/config"})
    folder.Write(name, name);
  std::filesystem::create_directory_symlink(folder.PathOf(""), folder.PathOf("a/circle"));
  std::filesystem::create_symlink(folder.PathOf("c"), folder.PathOf("d"));
  std::filesystem::create_symlink(folder.PathOf("nowhere"), folder.PathOf("dangling"));
  ASSERT_EQ(mkfifo(folder.PathOf("pipe").c_str(), 0600), 0);
  const Messages all = ReadMessages(folder.PathOf(""));
  EXPECT_THAT(all.bytes, ElementsAre("a/10", "a/2", "a/x/y", "b", "c", "c"));
  EXPECT_THAT(all.errors, IsEmpty());
}

TEST(Source, OfAMaildirOnlyDeliveredMessages) {
  const TemporaryFolder folder;
  for (const char* name :
       {"box/cur/1:2,S", "box/new/2", "box/tmp/3", "box/dovecot.index", "box/.Junk/cur/4"}) {
    folder.Write(name, name);
  }
  EXPECT_THAT(ReadMessages(folder.PathOf("box")).bytes, ElementsAre("box/cur/1:2,S", "box/new/2"));
  std::filesystem::create_directory(folder.PathOf("box/.Junk/new"));
  EXPECT_THAT(ReadMessages(folder.PathOf("box/.Junk")).bytes, ElementsAre("box/.Junk/cur/4"));
}

TEST(Source, AVanishedFileIsReportedAndTheRestRead) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b", "c"}) folder.Write(name, name);
  auto source = OpenSource(folder.PathOf(""), Format::kAuto);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  std::filesystem::remove(folder.PathOf("b"));
  const auto vanished = (*source)->Next(&message);
  ASSERT_FALSE(vanished);
  EXPECT_EQ(vanished.error().exit_code, kNoInput);
  EXPECT_THAT(vanished.error().message, HasSubstr(folder.PathOf("b")));
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_EQ(message.bytes, "c");
}

TEST(Source, NothingAtThePathIsAnError) {
  const TemporaryFolder folder;
  const Messages all = ReadMessages(folder.PathOf("nothing"));
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].exit_code, kNoInput);
}

TEST(Source, AnEndlessStreamIsCut) {
  auto source = OpenSource("/dev/zero", Format::kAuto, 100000);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_TRUE(message.is_cut);
  EXPECT_EQ(message.bytes.size(), 100000u);
  EXPECT_FALSE((*source)->Next(&message).value());
}

TEST(Source, StandardInput) {
  const TemporaryFolder folder;
  const std::string path = folder.Write(
      "mbox.gz", Compressed("gzip", std::string(kFrom) + "\na\n\n" + std::string(kFrom) + "\nb\n"));
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  const Messages all = ReadMessages("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  EXPECT_THAT(all.names, ElementsAre("-#1", "-#2"));
}

}  // namespace
}  // namespace thresher::pipeline
