#include "pipeline/serve/spool_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/pipeline/program.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

const tokenizer::IdSpace kIds(1);

class SpoolWriterTest : public testing::Test {
 protected:
  static tokenizer::MessageKey KeyNumber(int i) {
    return {std::to_string(i) + "@example.org", std::string(32, 'a')};
  }
  void Keep(SpoolWriter& writer, int i) {
    const std::string text = "body:" + std::to_string(i);
    tokenizer::Features features;
    features.Add(kIds.Token(text), 1, text);
    writer.Keep(spool_, KeyNumber(i), &features);
    EXPECT_EQ(features.size(), 0U);
  }

  TestDirectory directory_;
  Spool spool_{directory_ / "spool", SpoolLimits(), {{}, 1}};
};

TEST_F(SpoolWriterTest, WritesBehind) {
  SpoolWriter writer;
  for (int i = 0; i < 20; ++i) Keep(writer, i);
  for (int i = 0; i < 20; ++i)
    while (!spool_.Holds(KeyNumber(i))) std::this_thread::yield();
  const auto kept = spool_.Find(KeyNumber(7));
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->Text(0), "body:7");
}

TEST_F(SpoolWriterTest, WritesAtOnceWhatIsLookedFor) {
  SpoolWriter writer;
  for (int i = 0; i < 200; ++i) {
    Keep(writer, i);
    writer.WriteNow(KeyNumber(i).message_id);
    ASSERT_TRUE(spool_.Holds(KeyNumber(i)));
  }
  for (int i = 200; i < 300; ++i) Keep(writer, i);
  writer.WriteAllNow();
  EXPECT_EQ(spool_.List()->size(), 300U);
}

// What is in the spool already is left with whoever brings it; what somebody removed is written again.
TEST_F(SpoolWriterTest, LooksWhetherWhatComesAgainIsThere) {
  SpoolWriter writer;
  Keep(writer, 1);
  writer.WriteAllNow();
  tokenizer::Features again;
  again.Add(kIds.Token("body:1"), 1, "body:1");
  writer.Keep(spool_, KeyNumber(1), &again);
  EXPECT_EQ(again.size(), 1U);
  spool_.Remove(KeyNumber(1));
  Keep(writer, 1);
  writer.WriteAllNow();
  EXPECT_TRUE(spool_.Holds(KeyNumber(1)));
}

// A file that was damaged before the daemon began is replaced when its message comes again.
TEST_F(SpoolWriterTest, ADamagedFileIsReplaced) {
  {
    SpoolWriter writer;
    Keep(writer, 1);
  }
  std::ofstream((directory_ / "spool/") + spool_.List()->front()) << "damaged";
  SpoolWriter writer;
  Keep(writer, 1);
  writer.WriteAllNow();
  EXPECT_TRUE(spool_.Find(KeyNumber(1)).value().has_value());
}

TEST_F(SpoolWriterTest, WritesAllBeforeItEnds) {
  {
    SpoolWriter writer;
    for (int i = 0; i < 50; ++i) Keep(writer, i);
  }
  EXPECT_EQ(spool_.List()->size(), 50U);
}

// Nothing is lost where messages come faster than they are written.
TEST_F(SpoolWriterTest, WhoBringsTooMuchHelps) {
  SpoolWriter writer(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < 200; i += 4) Keep(writer, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  writer.WriteAllNow();
  EXPECT_EQ(spool_.List()->size(), 200U);
}

TEST_F(SpoolWriterTest, FailuresAreToldAndCounted) {
  directory_.Write("spool", "a file where the folder should be");
  std::vector<std::string> told;
  SpoolWriter writer(SpoolWriter::kMostWaitingBytes, [&](const tokenizer::MessageKey& key, const Error& why) {
    told.push_back(key.message_id + ' ' + why.message);
  });
  Keep(writer, 1);
  Keep(writer, 2);
  writer.WriteAllNow();
  writer.Finish();
  EXPECT_EQ(writer.failures(), 2U);
  EXPECT_THAT(
      told, testing::ElementsAre(testing::HasSubstr("1@example.org "), testing::HasSubstr("2@example.org ")));
}

// A message takes memory as features do.
TEST_F(SpoolWriterTest, WhoBringsALongMessageHelps) {
  SpoolWriter writer(1000);
  for (int i = 0; i < 200; ++i) {
    tokenizer::Features features;
    features.message = std::string(2000, 'm');
    writer.Keep(spool_, KeyNumber(i), &features);
    ASSERT_TRUE(spool_.Holds(KeyNumber(i)));
  }
}

}  // namespace
}  // namespace thresher::pipeline
