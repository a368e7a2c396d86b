#include "pipeline/delivery/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "pipeline/delivery/spool_file.h"
#include "tests/pipeline/delivery/spool_fixture.h"
#include "tests/pipeline/program.h"
#include "tokenizer/digest.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tokenizer::Features;
using tokenizer::MessageKey;

class SpoolTest : public SpoolFixture {};

TEST_F(SpoolTest, KeepsFeaturesWithTheirTexts) {
  const Spool spool = Open();
  const MessageKey key = KeyOf(1);
  const Features features = FeaturesOf(1);
  ASSERT_TRUE(spool.Keep(key, features).has_value());
  const auto found = spool.Find(key);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->ids, features.ids);
  EXPECT_EQ((*found)->values, features.values);
  EXPECT_EQ((*found)->texts, features.texts);
  EXPECT_EQ(spool.KeysOf(key.message_id, spool.List().value()), std::vector{key});
  EXPECT_TRUE(spool.KeysOf("someone@else.example", spool.List().value()).empty());
  spool.Remove(key);
  EXPECT_FALSE(IsKept(spool, key));
}

TEST_F(SpoolTest, WhatIsKeptIsNeverReplaced) {
  const Spool spool = Open();
  ASSERT_TRUE(spool.Keep(KeyOf(1), FeaturesOf(1)).has_value());
  ASSERT_TRUE(spool.Keep(KeyOf(1), FeaturesOf(2)).has_value());
  EXPECT_EQ(spool.Find(KeyOf(1)).value()->texts, FeaturesOf(1).texts);
  std::ofstream(Files().front()) << "damaged";
  ASSERT_TRUE(spool.Keep(KeyOf(1), FeaturesOf(2)).has_value());
  EXPECT_EQ(spool.Find(KeyOf(1)).value()->texts, FeaturesOf(2).texts);
}

TEST_F(SpoolTest, OldestGoFirst) {
  const Spool spool = Open({.max_messages = 5});
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(spool.Keep(KeyOf(i), FeaturesOf(i)).has_value());
    MakeOlder(std::chrono::minutes(60));
  }
  for (int i = 0; i < 9; ++i) EXPECT_EQ(IsKept(spool, KeyOf(i)), i >= 4) << i;
}

TEST_F(SpoolTest, OldOnesGoOnceADay) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  MakeOlder(std::chrono::minutes(60 * 24 * 31));
  fs::remove(directory_.path() / "spool" / ".usage");  // or a day later
  ASSERT_TRUE(Open().Keep(KeyOf(2), FeaturesOf(2)).has_value());
  EXPECT_FALSE(Open().Holds(KeyOf(1)));
  EXPECT_TRUE(Open().Holds(KeyOf(2)));
}

TEST_F(SpoolTest, NothingIsKeptWhereNothingMayBe) {
  // As the settings want it: no reason to complain.
  for (const SpoolLimits limits :
       {SpoolLimits{.max_messages = 0}, SpoolLimits{.max_bytes = 0}, SpoolLimits{.max_message_bytes = 0}}) {
    EXPECT_TRUE(Open(limits).Keep(KeyOf(1), FeaturesOf(1)).has_value());
    EXPECT_FALSE(Open(limits).Holds(KeyOf(1)));
  }
  EXPECT_FALSE(Open({.max_message_bytes = 100}).Keep(KeyOf(1), FeaturesOf(1)).has_value());
}

// The limits hold after each message, whatever is added, taught, lost or left behind by others. Counts all
// files after each step.
TEST_F(SpoolTest, LimitsHoldAtEveryMoment) {
  std::mt19937_64 random(1);
  for (const SpoolLimits limits : {SpoolLimits{.max_messages = 40, .max_bytes = 10'000'000},
                                   SpoolLimits{.max_messages = 1000, .max_bytes = 400'000},
                                   SpoolLimits{.max_messages = 1, .max_bytes = 30'000},
                                   SpoolLimits{.max_messages = 50, .max_bytes = 300'000}}) {
    const Spool spool = Open(limits);
    for (int i = 0; i < 300; ++i) {
      static_cast<void>(spool.Keep(KeyOf(i), Large(random() % 30'000)));
      ASSERT_LE(Files().size(), limits.max_messages) << i;
      ASSERT_LE(Bytes(), limits.max_bytes) << i;
      if (random() % 4 == 0) spool.Remove(KeyOf(static_cast<int>(random() % 300)));
      if (random() % 50 == 0) fs::remove(directory_.path() / "spool" / ".usage");
      if (random() % 50 == 0) std::ofstream(directory_.path() / "spool" / ".usage") << "messages 1 bytes 1";
      if (random() % 50 == 0) std::ofstream(directory_.path() / "spool" / ".new") << "of a killed process";
    }
    EXPECT_GT(Files().size(), 0u);
    fs::remove_all(directory_.path() / "spool");
  }
}

TEST_F(SpoolTest, LimitsHoldWithManyWriters) {
  const SpoolLimits limits{.max_messages = 30};
  const Features features = FeaturesOf(1);
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 8; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 50; ++i) {
        auto kept = Open(limits).Keep(KeyOf(1000 * writer + i), features);
        while (!kept && kept.error().exit_code == kBusy)  // on a busy machine the others may take long
          kept = Open(limits).Keep(KeyOf(1000 * writer + i), features);
        EXPECT_TRUE(kept.has_value()) << kept.error().message;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_LE(Files().size(), limits.max_messages);
  EXPECT_GE(Files().size(), limits.max_messages - limits.max_messages / 16 - 1);
}

TEST_F(SpoolTest, ABurstOfLargeMailsLeavesTheOthers) {
  const Spool spool = Open({.max_messages = 400, .max_bytes = 4'000'000});
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(spool.Keep(KeyOf(i), FeaturesOf(i)).has_value());
  MakeOlder(std::chrono::minutes(120));
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(spool.Keep(KeyOf(1000 + i), Large(200'000)).has_value());
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(spool.Holds(KeyOf(i))) << i;
  EXPECT_TRUE(spool.Holds(KeyOf(1249)));
}

TEST_F(SpoolTest, ABurstOfManyMailsLeavesTheOthers) {
  const Spool spool = Open({.max_messages = 400});
  const Features features = FeaturesOf(1);
  for (int i = 0; i < 260; ++i) {
    ASSERT_TRUE(spool.Keep(KeyOf(i), features).has_value());
    if (i % 65 == 64) MakeOlder(std::chrono::minutes(60));
  }
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(spool.Keep(KeyOf(1000 + i), features).has_value());
  for (int i = 0; i < 260; ++i) EXPECT_TRUE(spool.Holds(KeyOf(i))) << i;
  EXPECT_TRUE(spool.Holds(KeyOf(2999)));
}

TEST_F(SpoolTest, DamageIsToldApartFromNothing) {
  const Spool spool = Open();
  EXPECT_FALSE(spool.Find(KeyOf(1)).value().has_value());
  ASSERT_TRUE(spool.Keep(KeyOf(1), FeaturesOf(1)).has_value());
  const fs::path file = Files().front();
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto damaged = spool.Find(KeyOf(1));
  ASSERT_FALSE(damaged.has_value());
  EXPECT_EQ(damaged.error().exit_code, kData);
  EXPECT_THAT(damaged.error().message,
              HasSubstr(file.string() + " is damaged: it does not match its checksum"));
  EXPECT_EQ(spool.KeysOf("m1", spool.List().value()), std::vector{KeyOf(1)});
  std::ofstream(file) << "something else";
  EXPECT_THAT(spool.Find(KeyOf(1)).error().message, HasSubstr("it is no spool file"));
  EXPECT_EQ(spool.RemoveIf([](std::string_view) { return false; }), 0u);
  EXPECT_TRUE(Files().empty());
}

TEST_F(SpoolTest, AnotherMessagesFileIsNotTaken) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  const fs::path file = Files().front();
  fs::rename(file, file.parent_path() / (file.filename().string().substr(0, 17) + "fedcba9876543210"));
  EXPECT_FALSE(Open().Find({"m1", "fedcba9876543210"}).value().has_value());
}

TEST_F(SpoolTest, TheFileOfAnotherMessageIdIsNotTaken) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  const fs::path first = Files().front();
  ASSERT_TRUE(Open().Keep(KeyOf(2), FeaturesOf(2)).has_value());
  for (const fs::path& file : Files()) {
    if (file != first) fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  }
  EXPECT_TRUE(IsKept(Open(), KeyOf(1)));
  EXPECT_FALSE(Open().Find(KeyOf(2)).value().has_value());
}

TEST_F(SpoolTest, LinksAreNotFollowed) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  const fs::path file = Files().front();
  fs::rename(file, directory_.path() / "elsewhere");
  fs::create_symlink(directory_.path() / "elsewhere", file);
  const auto found = Open().Find(KeyOf(1));
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().exit_code, kIo);

  directory_.Write("victim", "precious");
  fs::remove(file.parent_path() / ".usage");
  fs::create_symlink(directory_.path() / "victim", file.parent_path() / ".usage");
  EXPECT_FALSE(Open().Keep(KeyOf(2), FeaturesOf(2)).has_value());
  EXPECT_EQ(ReadBytes(directory_.path() / "victim"), "precious");
}

// Where the totals are damaged, from the future or older than a day, the files are counted.
TEST_F(SpoolTest, TotalsThatMayBeWrongAreNotUsed) {
  const Spool spool = Open({.max_messages = 5});
  int kept = 0;
  while (kept < 5) ASSERT_TRUE(spool.Keep(KeyOf(kept++), FeaturesOf(1)).has_value());
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  for (const int days : {0, 400, -2}) {
    const auto counted = std::chrono::nanoseconds(since_1970 + std::chrono::days(days)).count();
    const std::string line = "messages 0 bytes 0 counted " + std::to_string(counted);
    directory_.Write("spool/.usage", line + " " + tokenizer::DigestOf(days == 0 ? "" : line) + "\n");
    ASSERT_TRUE(spool.Keep(KeyOf(kept++), FeaturesOf(1)).has_value());
    EXPECT_LE(Files().size(), 5U) << days;
  }
}

// The limits would not hold for a day if the files that were not seen were taken for none.
TEST_F(SpoolTest, WhatCannotBeCountedNowIsCountedLater) {
  const Spool spool = Open({.max_messages = 4});
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(spool.Keep(KeyOf(i), FeaturesOf(1)).has_value());
  fs::remove(directory_.path() / "spool" / ".usage");
  // Asked for before, since UBSan opens a pipe to look at an object of a type that it sees first.
  const std::string too_many = std::generic_category().message(EMFILE);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  const rlimit few{static_cast<rlim_t>(next) + 1, before.rlim_max};  // for the file that is locked
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto kept = spool.Keep(KeyOf(4), FeaturesOf(1));
  ::setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(kept.has_value());
  EXPECT_THAT(kept.error().message, HasSubstr("cannot read " + (directory_ / "spool") + ": " + too_many));
  ASSERT_TRUE(spool.Keep(KeyOf(5), FeaturesOf(1)).has_value());
  EXPECT_LE(Files().size(), 4U);
}

// The system says so only once nothing more fits.
TEST_F(SpoolTest, TotalsThatFitHalfAreAnErrorThatSaysWhy) {
  const auto usage = SpoolUsage::Lock(directory_.path());
  ASSERT_TRUE(usage.has_value());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  errno = 0;
  const auto written = usage->Write({.messages = 1, .bytes = 1000, .counted_ns = 1});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, (directory_ / ".usage") + ": File too large");
}

TEST_F(SpoolTest, WhatCannotBeReadIsAnError) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  const fs::path file = Files().front();
  fs::remove(file);
  fs::create_directory(file);
  const auto found = Open().Find(KeyOf(1));
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().exit_code, kIo);
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(Open().Find(KeyOf(1)).has_value());
  directory_.Write("file", "");
  EXPECT_EQ(Spool(directory_.path() / "file", {}, {{}, kSeed}).List().error().exit_code, kIo);
  EXPECT_TRUE(Spool(directory_.path() / "nothing", {}, {{}, kSeed}).List().value().empty());
}

TEST_F(SpoolTest, OnlyItsOwnerMayLookIntoIt) {
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  EXPECT_EQ(fs::status(directory_.path() / "spool").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(directory_.path() / "spool" / ".usage").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(SpoolTest, OfAModelThatIsGoneNothingIsMade) {
  const Spool spool(directory_.path() / "gone" / "spool", {}, {{}, kSeed});
  EXPECT_FALSE(spool.Keep(KeyOf(1), FeaturesOf(1)).has_value());
  EXPECT_FALSE(fs::exists(directory_.path() / "gone"));
}

// Its owner could neither read nor remove it, and no command writes to a model with a part of another user.
TEST_F(SpoolTest, InTheModelOfAnotherUserNoneIsMade) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a folder away";
  ASSERT_EQ(::chown(directory_.path().c_str(), 65534, 65534), 0);
  EXPECT_EQ(Open().Keep(KeyOf(1), FeaturesOf(1)).error().exit_code, kCantCreate);
  EXPECT_FALSE(fs::exists(directory_.path() / "spool"));
}

TEST_F(SpoolTest, FailsCleanlyWhereItCannotWrite) {
  directory_.Write("spool", "a file where the folder should be");
  EXPECT_FALSE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
}

}  // namespace
}  // namespace thresher::pipeline
