// What is in the outbox is there after a crash; numbers ascend for ever.
#include "pipeline/cluster/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/test_directory.h"

namespace {

bool no_sync = false;         // what is written to a file cannot be synced
bool no_folder_sync = false;  // names in folders cannot be

}  // namespace

// In the place of those of the C library.
extern "C" int fsync(int fd) {
  struct stat status {};
  if (!no_folder_sync || ::fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode))
    return static_cast<int>(::syscall(SYS_fsync, fd));
  errno = EIO;
  return -1;
}
extern "C" int fdatasync(int fd) {
  if (!no_sync) return static_cast<int>(::syscall(SYS_fdatasync, fd));
  errno = EIO;
  return -1;
}

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class OutboxTest : public testing::Test {
 protected:
  std::unique_ptr<Outbox> Open(uint64_t most = 1 << 30) {
    auto outbox = Outbox::Open(path_, most);
    EXPECT_TRUE(outbox.has_value()) << outbox.error().message;
    return *std::move(outbox);
  }
  static Result<void> Append(Outbox& outbox, const std::string& features) {
    Operation operation{.circumstances = {}, .keys = {}, .features = features};
    auto done = outbox.Append(&operation);
    return done ? outbox.Sync() : done;
  }
  // Takes all out.
  static std::vector<std::string> Contents(Outbox& outbox) {
    std::vector<std::string> contents;
    while (!outbox.empty()) {
      const auto operation = DecodeOperation(outbox.Front().value());
      EXPECT_EQ(operation->author, outbox.author());
      EXPECT_EQ(operation->number, outbox.FrontNumber());
      contents.push_back(std::to_string(operation->number) + operation->features);
      EXPECT_TRUE(outbox.PopFront().has_value());
    }
    return contents;
  }
  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static constexpr size_t kHeader = 56;

  TestDirectory directory_;
  std::filesystem::path path_ = directory_ / "outbox";
};

TEST_F(OutboxTest, KeepsWhatItWasGiven) {
  uint64_t author = 0;
  {
    const auto outbox = Open();
    author = outbox->author();
    ASSERT_TRUE(Append(*outbox, "a").has_value());
    ASSERT_TRUE(Append(*outbox, "b").has_value());
    ASSERT_TRUE(outbox->PopFront().has_value());
  }
  const std::string bytes = Bytes();
  {
    const auto outbox = Open();
    EXPECT_EQ(outbox->author(), author);
    EXPECT_EQ(Bytes(), bytes);
    EXPECT_THAT(Contents(*outbox), ElementsAre("2b"));
    ASSERT_TRUE(Append(*outbox, "c").has_value());
    EXPECT_THAT(Contents(*outbox), ElementsAre("3c"));
  }
  EXPECT_TRUE(Open()->empty());
  // Without the mark of what was published, all is published again, which changes nothing.
  std::string torn = bytes;
  torn[44] = 'x';
  std::ofstream(path_, std::ios::binary) << torn;
  EXPECT_THAT(Contents(*Open()), ElementsAre("1a", "2b"));
}

TEST_F(OutboxTest, NumbersGoOnInTheNextFile) {
  const std::string large(300'000, 'x');
  {
    const auto outbox = Open();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(Append(*outbox, large).has_value());
    EXPECT_EQ(Contents(*outbox).size(), 5U);
    EXPECT_EQ(outbox->bytes(), 0U);  // the file was made anew
  }
  const auto outbox = Open();
  EXPECT_TRUE(outbox->empty());
  ASSERT_TRUE(Append(*outbox, "a").has_value());
  EXPECT_THAT(Contents(*outbox), ElementsAre("6a"));
}

TEST_F(OutboxTest, OneThatIsOlderThanTheLogGoesOnAsAnother) {
  const auto first = Open();
  ASSERT_TRUE(Append(*first, "a").has_value());
  const auto restored = Open();
  const uint64_t before = restored->author();
  EXPECT_EQ(restored->first_appended(), 2U);
  ASSERT_TRUE(Append(*restored, "b").has_value());
  ASSERT_TRUE(Append(*restored, "c").has_value());
  ASSERT_TRUE(restored->ContinueAs(before + 1).has_value());
  EXPECT_EQ(restored->author(), before + 1);
  ASSERT_TRUE(Append(*restored, "d").has_value());
  const auto again = Open();
  EXPECT_EQ(again->author(), before + 1);
  EXPECT_THAT(Contents(*again), ElementsAre("2b", "3c", "4d"));
  EXPECT_THAT(Contents(*restored), ElementsAre("2b", "3c", "4d"));
}

TEST_F(OutboxTest, WhatIsPublishedCanBeRemovedFromTheDisk) {
  const auto outbox = Open();
  EXPECT_FALSE(outbox->has_published());
  ASSERT_TRUE(Append(*outbox, "taught").has_value());
  ASSERT_TRUE(Append(*outbox, "waits").has_value());
  ASSERT_TRUE(outbox->PopFront().has_value());
  EXPECT_TRUE(outbox->has_published());
  EXPECT_THAT(Bytes(), HasSubstr("taught"));
  ASSERT_TRUE(outbox->RemovePublished().has_value());
  EXPECT_FALSE(outbox->has_published());
  EXPECT_THAT(Bytes(), Not(HasSubstr("taught")));
  EXPECT_THAT(Contents(*Open()), ElementsAre("2waits"));
}

// The file that it had is gone: what is written there would not be found again.
TEST_F(OutboxTest, TheNextFileIsUsedAlsoIfItsFolderCannotBeSynced) {
  const std::string large(1'100'000, 'x');
  {
    const auto outbox = Open();
    ASSERT_TRUE(Append(*outbox, large).has_value());
    no_folder_sync = true;
    const auto begun = outbox->PopFront();
    no_folder_sync = false;
    ASSERT_FALSE(begun.has_value());
    EXPECT_EQ(begun.error().exit_code, kIo);
    ASSERT_TRUE(Append(*outbox, "a").has_value());
  }
  EXPECT_THAT(Contents(*Open()), ElementsAre("2a"));
}

TEST_F(OutboxTest, ATornEndIsCutOffAnywhere) {
  {
    const auto outbox = Open();
    ASSERT_TRUE(Append(*outbox, "a").has_value());
    ASSERT_TRUE(Append(*outbox, "b").has_value());
  }
  const std::string whole = Bytes();
  size_t first_end = 0;
  {
    const auto outbox = Open();
    first_end = kHeader + outbox->bytes() / 2;
  }
  for (size_t end = first_end; end < whole.size(); ++end) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, end);
    const auto outbox = Open();
    EXPECT_EQ(Bytes(), whole.substr(0, first_end)) << end;
    ASSERT_TRUE(Append(*outbox, "c").has_value());
    EXPECT_THAT(Contents(*outbox), ElementsAre("1a", "2c")) << end;
  }
}

// Of three messages, one published: what the others are was promised, and the log knows the number 1.
TEST_F(OutboxTest, WhatWaitsIsForTheLogOfOneModel) {
  const auto outbox = Open();
  EXPECT_TRUE(outbox->CheckIsFor(7).has_value());
  Operation operation{.identity = 7, .circumstances = {}, .keys = {}, .features = "a"};
  ASSERT_TRUE(outbox->Append(&operation) && outbox->Sync());
  EXPECT_TRUE(outbox->CheckIsFor(7).has_value());
  const auto other = outbox->CheckIsFor(8);
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().exit_code, kConfig);
  EXPECT_THAT(other.error().message, HasSubstr("(1 messages) is for the log of model 0000000000000007, not"));
  ASSERT_TRUE(outbox->PopFront().has_value());
  EXPECT_TRUE(outbox->CheckIsFor(8).has_value());
}

TEST_F(OutboxTest, WhatIsInAFileIsToldWithoutAChange) {
  ASSERT_TRUE(Outbox::LookInto(path_).has_value());
  EXPECT_FALSE(Outbox::LookInto(path_).value().has_value());
  EXPECT_FALSE(std::filesystem::exists(path_));
  const auto outbox = Open();
  for (const char* const features : {"a", "b", "c"}) ASSERT_TRUE(Append(*outbox, features).has_value());
  ASSERT_TRUE(outbox->PopFront().has_value());
  const std::string bytes = Bytes();
  const auto found = Outbox::LookInto(path_).value();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->author, outbox->author());
  EXPECT_EQ(found->waiting, 2U);
  EXPECT_EQ(Bytes(), bytes);
}

TEST_F(OutboxTest, ADamagedOneIsRefusedAsItIs) {
  size_t size = 0;
  {
    const auto outbox = Open();
    for (const char* const features : {"a", "b", "c"}) ASSERT_TRUE(Append(*outbox, features).has_value());
    size = outbox->bytes() / 3;
    ASSERT_TRUE(outbox->PopFront().has_value());
  }
  const std::string whole = Bytes();
  const auto refuse = [&](const std::string& damaged, int number) {
    std::ofstream(path_, std::ios::binary) << damaged;
    const auto refused = Outbox::Open(path_, 1000);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().exit_code, kData);
    EXPECT_THAT(refused.error().message, HasSubstr("where its operation " + std::to_string(number) + " was"));
    EXPECT_FALSE(Outbox::LookInto(path_).has_value());
    EXPECT_EQ(Bytes(), damaged);
  };
  for (size_t at = kHeader; at < kHeader + 2 * size; ++at) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    refuse(damaged, at < kHeader + size ? 1 : 2);
  }
  // Without what follows on it, the mark of what was published tells.
  refuse(whole.substr(0, kHeader + size - 1), 1);
  refuse(whole.substr(0, kHeader), 1);
}

TEST_F(OutboxTest, OneOfANewerThresherIsRefusedAsItIs) {
  {
    const auto outbox = Open();
    ASSERT_TRUE(Append(*outbox, "a").has_value());
  }
  std::string newer = Bytes();
  constexpr size_t kChecksumAt = kHeader + 4 + 8;
  constexpr size_t kVersionAt = kChecksumAt + 8;
  newer[kVersionAt] = 100;
  const uint64_t checksum = XXH3_64bits(newer.data() + kVersionAt, newer.size() - kVersionAt);
  std::memcpy(newer.data() + kChecksumAt, &checksum, sizeof checksum);
  std::ofstream(path_, std::ios::binary) << newer;
  const auto refused = Outbox::Open(path_, 1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kData);
  EXPECT_THAT(refused.error().message, HasSubstr("a newer thresher: go on with that"));
  EXPECT_EQ(Bytes(), newer);
}

TEST_F(OutboxTest, NothingIsLeftOfWhatCannotBeSynced) {
  const auto outbox = Open();
  ASSERT_TRUE(Append(*outbox, "a").has_value());
  const std::string before = Bytes();
  Operation one{.circumstances = {}, .keys = {}, .features = "b"};
  Operation two{.circumstances = {}, .keys = {}, .features = "long"};
  ASSERT_TRUE(outbox->Append(&one).has_value());
  ASSERT_TRUE(outbox->Append(&two).has_value());
  no_sync = true;
  const auto refused = outbox->Sync();
  no_sync = false;
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kIo);
  EXPECT_EQ(Bytes(), before);
  EXPECT_EQ(outbox->size(), 1U);
  ASSERT_TRUE(Append(*outbox, "c").has_value());
  EXPECT_THAT(Contents(*outbox), ElementsAre("1a", "2c"));
}

TEST_F(OutboxTest, AFullOneTakesNoMore) {
  const auto outbox = Open(1000);
  ASSERT_TRUE(Append(*outbox, std::string(700, 'x')).has_value());
  const auto refused = Append(*outbox, std::string(700, 'x'));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kBusy);
  EXPECT_THAT(refused.error().message, HasSubstr("the outbox is full: 1 messages wait for the log"));
  EXPECT_EQ(outbox->size(), 1U);
}

TEST_F(OutboxTest, AFullOneTakesMoreOnceHalfIsPublished) {
  const std::string third(300, 'x');
  {
    const auto outbox = Open(1300);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(Append(*outbox, third).has_value());
    EXPECT_FALSE(Append(*outbox, third).has_value());
    ASSERT_TRUE(outbox->PopFront().has_value());
    EXPECT_FALSE(Append(*outbox, third).has_value());
    ASSERT_TRUE(outbox->PopFront().has_value());
    ASSERT_TRUE(Append(*outbox, third).has_value());
    EXPECT_EQ(outbox->size(), 2U);
  }
  const auto outbox = Open(1300);
  EXPECT_THAT(Contents(*outbox), ElementsAre("3" + third, "4" + third));
  ASSERT_TRUE(Append(*outbox, third).has_value());
  EXPECT_THAT(Contents(*outbox), ElementsAre("5" + third));
}

// As with several clients that teach all the time.
TEST_F(OutboxTest, OneThatIsNeverEmptyDoesNotFill) {
  const auto outbox = Open(2000);
  ASSERT_TRUE(Append(*outbox, std::string(300, 'x')).has_value());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Append(*outbox, std::string(300, 'x')).has_value()) << i;
    ASSERT_TRUE(outbox->PopFront().has_value());
    EXPECT_LE(outbox->bytes(), 2000U);
  }
  EXPECT_THAT(Contents(*outbox), ElementsAre("101" + std::string(300, 'x')));
}

// As for lack of rights or because of a failing disk: it may have what was promised to users.
TEST_F(OutboxTest, OneThatCannotBeReadIsNotMadeAnew) {
  std::filesystem::create_symlink(path_, path_);
  const auto refused = Outbox::Open(path_, 1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kIo);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  const auto below_a_file = Outbox::Open(directory_.Write("file", "") + "/outbox", 1000);
  ASSERT_FALSE(below_a_file.has_value());
  EXPECT_THAT(below_a_file.error().message, HasSubstr("cannot read"));
}

TEST_F(OutboxTest, AnotherFileIsRefused) {
  directory_.Write("outbox", "hello");
  const auto refused = Outbox::Open(path_, 1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kData);
  EXPECT_EQ(Bytes(), "hello");
}

}  // namespace
}  // namespace thresher::pipeline
