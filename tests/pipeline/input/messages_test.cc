// Files, folders, Maildirs and standard input as messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/input/source.h"
#include "tests/pipeline/input/compressed.h"
#include "tests/pipeline/input/read_messages.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Source, EmptyFiles) {
  const TestDirectory folder;
  const std::string path = folder.Write("empty", "");
  EXPECT_THAT(ReadMessages(path, Format::kAuto).bytes, IsEmpty());
  EXPECT_THAT(ReadMessages(path, Format::kMbox).bytes, IsEmpty());
  EXPECT_THAT(ReadMessages(path, Format::kMessage).bytes, ElementsAre(""));
}

TEST(Source, AnyBytesAreAMessage) {
  const TestDirectory folder;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes(1 + random() % 1000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? '\n' : random());
    EXPECT_THAT(ReadMessages(folder.Write("file", bytes)).bytes, ElementsAre(bytes));
  }
}

TEST(Source, FoldersAreSortedAndRecursiveWithoutDotNames) {
  const TestDirectory folder;
  for (const char* name : {"b", "a/2", "a/10", "a/x/y", "c", ".hidden", ".git/config"})
    folder.Write(name, name);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Messages all = ReadMessages((folder / ""));
  EXPECT_THAT(all.bytes, ElementsAre("a/10", "a/2", "a/x/y", "b", "c"));
  EXPECT_THAT(all.errors, IsEmpty());
}

// Who can put files into a folder could otherwise have any file taught that the user can read.
TEST(Source, LinksInAFolderAreReportedAndNotFollowed) {
  const TestDirectory folder;
  for (const char* name : {"box/a/1", "box/b", "outside/secret"}) folder.Write(name, name);
  std::filesystem::create_directory_symlink((folder / "outside"), (folder / "box/a/folder"));
  std::filesystem::create_symlink((folder / "outside/secret"), (folder / "box/file"));
  std::filesystem::create_symlink((folder / "nowhere"), (folder / "box/dangling"));
  std::filesystem::create_directory_symlink((folder / "box"), (folder / "other-name"));
  const Messages all = ReadMessages((folder / "other-name"));
  EXPECT_THAT(all.bytes, ElementsAre("box/a/1", "box/b"));
  ASSERT_EQ(all.errors.size(), 1U);
  EXPECT_EQ(all.errors[0].exit_code, kNoInput);
  EXPECT_THAT(all.errors[0].message, HasSubstr("not followed (3 in all)"));
}

TEST(Source, AFileThatBecomesALinkIsNotFollowed) {
  const TestDirectory folder;
  for (const char* name : {"box/a", "box/b", "secret"}) folder.Write(name, name);
  auto source = OpenSource((folder / "box"), Format::kAuto);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  std::filesystem::remove((folder / "box/b"));
  std::filesystem::create_symlink((folder / "secret"), (folder / "box/b"));
  EXPECT_FALSE((*source)->Next(&message));
  EXPECT_FALSE((*source)->Next(&message).value());
}

// One that was listed already, and one that waits.
TEST(Source, AFolderThatBecomesALinkIsNotFollowed) {
  for (const auto& [replaced, rest] : {std::pair("box/b", "box/c/3"), std::pair("box/c", "box/b/2")}) {
    const TestDirectory folder;
    for (const char* name : {"box/a", "box/b/1", "box/b/2", "box/c/3", "secret/2", "secret/3"})
      folder.Write(name, name);
    auto source = OpenSource((folder / "box"), Format::kAuto);
    ASSERT_TRUE(source);
    RawMessage message;
    for (const char* const name : {"box/a", "box/b/1", rest}) {
      ASSERT_TRUE((*source)->Next(&message).value());
      EXPECT_EQ(message.bytes, name);
      if (message.bytes != "box/b/1") continue;
      std::filesystem::remove_all((folder / replaced));
      std::filesystem::create_directory_symlink((folder / "secret"), (folder / replaced));
    }
    const auto refused = (*source)->Next(&message);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr((folder / replaced) + ": symbolic links in folders"));
    EXPECT_FALSE((*source)->Next(&message).value());
  }
}

TEST(Source, OfAMaildirOnlyDeliveredMessages) {
  const TestDirectory folder;
  for (const char* name :
       {"box/cur/1:2,S", "box/new/2", "box/tmp/3", "box/dovecot.index", "box/.Junk/cur/4"}) {
    folder.Write(name, name);
  }
  EXPECT_THAT(ReadMessages((folder / "box")).bytes, ElementsAre("box/cur/1:2,S", "box/new/2"));
  std::filesystem::create_directory((folder / "box/.Junk/new"));
  EXPECT_THAT(ReadMessages((folder / "box/.Junk")).bytes, ElementsAre("box/.Junk/cur/4"));
}

TEST(Source, AFolderOfAMaildirThatIsALinkIsAnError) {
  const TestDirectory folder;
  for (const char* name : {"box/new/1", "elsewhere/2", "tmp/3"}) folder.Write(name, name);
  std::filesystem::create_directory_symlink((folder / "elsewhere"), (folder / "box/cur"));
  std::filesystem::create_directory_symlink((folder / "tmp"), (folder / "box/tmp"));
  std::filesystem::create_symlink((folder / "elsewhere/2"), (folder / "box/index"));
  const Messages all = ReadMessages((folder / "box"));
  EXPECT_THAT(all.bytes, ElementsAre("box/new/1"));
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].exit_code, kNoInput);
  EXPECT_THAT(all.errors[0].message, HasSubstr((folder / "box/cur") + ": symbolic links in folders"));
}

TEST(Source, AVanishedFileIsReportedAndTheRestRead) {
  const TestDirectory folder;
  for (const char* name : {"a", "b", "c"}) folder.Write(name, name);
  auto source = OpenSource((folder / ""), Format::kAuto);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  std::filesystem::remove((folder / "b"));
  const auto vanished = (*source)->Next(&message);
  ASSERT_FALSE(vanished);
  EXPECT_EQ(vanished.error().exit_code, kNoInput);
  EXPECT_THAT(vanished.error().message, HasSubstr((folder / "b")));
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_EQ(message.bytes, "c");
}

TEST(Source, NothingAtThePathIsAnError) {
  const TestDirectory folder;
  const Messages all = ReadMessages((folder / "nothing"));
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
  const TestDirectory folder;
  const std::string path = folder.Write(
      "mbox.gz", Compressed("gzip", std::string(kFrom) + "\na\n\n" + std::string(kFrom) + "A: 1\n\nb\n"));
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  const Messages all = ReadMessages("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  EXPECT_THAT(all.names, ElementsAre("-#1", "-#2"));
}

}  // namespace
}  // namespace thresher::pipeline
