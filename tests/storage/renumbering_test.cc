// Logs that examples are taken out of: beside a list of what must be left.
#include "storage/renumbering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "storage/example_log.h"
#include "storage/score_image.h"
#include "storage/weight_table.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

Example ExampleOf(uint64_t message, uint64_t time) {
  Example example;
  example.time_us = static_cast<int64_t>(time);
  example.label = 1;
  example.message_id = std::to_string(message);
  example.digest = "d";
  example.features = std::string(message % 50, 'f');
  return example;
}

// Everything that a log tells, but for the numbers of its examples.
std::vector<std::pair<std::string, int64_t>> ContentOf(const ExampleLog& log) {
  std::vector<std::pair<std::string, int64_t>> content;
  uint64_t expected = log.extent().first_seq;
  uint64_t bytes = 0;
  EXPECT_TRUE(Succeeded(log.Read(0, [&](const Example& example) {
    EXPECT_EQ(example.seq, expected++);
    bytes += LoggedBytes(example);
    if (!IsForgotten(example)) content.emplace_back(example.message_id, example.time_us);
    return true;
  })));
  EXPECT_EQ(bytes, log.extent().bytes);
  EXPECT_EQ(expected, log.last_seq() + 1);
  return content;
}

TEST(RenumberingTest, LeavesWhatWasNotForgotten) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 12; ++repeat) {
    SCOPED_TRACE(repeat);
    const TestDirectory scratch;
    auto database = OpenForWriting(scratch);
    auto log = std::make_unique<ExampleLog>(*database);
    std::vector<std::pair<std::string, int64_t>> twin;
    uint64_t bytes = 0;
    const uint64_t count = 1 + random() % 300;
    for (uint64_t seq = 1; seq <= count; ++seq) {
      const Example example = ExampleOf(random() % 80, seq);  // many are taught again
      ASSERT_EQ(log->Append(example), seq);
      bytes += LoggedBytes(example);
      twin.emplace_back(example.message_id, example.time_us);
    }
    const uint64_t expired = repeat % 3 == 0 ? random() % count : 0;
    for (uint64_t seq = 1; seq <= expired; ++seq) bytes -= LoggedBytes(**log->Get(seq));
    twin.erase(twin.begin(), twin.begin() + static_cast<std::ptrdiff_t>(expired));
    log->SetExtent({.first_seq = expired + 1, .bytes = bytes});
    ASSERT_TRUE(Succeeded(WeightTable(*database, kRowBytes).Checkpoint({}, count, AllLive, AllLive)));

    const auto is_gone = [&](const std::string& id) {
      return std::stoul(id) % 4 == static_cast<uint64_t>(repeat % 4);
    };
    std::vector<Example> replaced;
    std::map<std::string, MessageKeyText> keys;
    LogExtent extent = log->extent();
    ASSERT_TRUE(Succeeded(log->Read(0, [&](const Example& example) {
      if (!is_gone(example.message_id)) return true;
      replaced.push_back(
          {.seq = example.seq, .time_us = example.time_us, .message_id = {}, .digest = {}, .features = "x"});
      keys[example.message_id] = {example.message_id, example.digest};
      extent.bytes -= LoggedBytes(example) - LoggedBytes(replaced.back());
      return true;
    })));
    std::vector<MessageKeyText> gone;
    for (const auto& [id, key] : keys) gone.push_back(key);
    std::erase_if(twin, [&](const auto& entry) { return is_gone(entry.first); });
    const bool keeps_last = twin.empty() && expired > 0 && !replaced.empty();

    ASSERT_TRUE(Succeeded(log->Replace(replaced, gone, extent)));
    for (int session = 0; session < 4; ++session) {
      EXPECT_EQ(ContentOf(*log), twin);
      EXPECT_EQ(log->last_seq(), session < 2 ? count : count - replaced.size() + (keeps_last ? 1 : 0));
      EXPECT_EQ(*database->ReadAppliedSeq(), log->last_seq());
      for (uint64_t message = 0; message < 80; ++message) {
        const auto found = log->Find(std::to_string(message), "d");
        ASSERT_TRUE(Succeeded(found));
        const auto last = std::find_if(twin.rbegin(), twin.rend(), [&](const auto& entry) {
          return entry.first == std::to_string(message);
        });
        ASSERT_EQ(found->has_value(), last != twin.rend());
        if (*found) {
          EXPECT_EQ((*log->Get(**found))->time_us, last->second);
        }
      }
      if (session == 1) {
        ASSERT_TRUE(Succeeded(WeightTable(*database, kRowBytes).Checkpoint({}, count, AllLive, AllLive)));
        EXPECT_TRUE(ScoreImage::Open(scratch.model()).has_value());
        std::string globals;
        const auto dropped = log->DropForgotten([&](const NewNumber& new_number) {
          for (const Example& example : replaced) {
            const bool stays = keeps_last && example.seq == replaced.back().seq;
            EXPECT_EQ(new_number(example.seq) != 0, stays);
          }
          globals = std::to_string(new_number(count));
          const auto stored = std::as_bytes(std::span(globals));
          return std::vector<std::byte>(stored.begin(), stored.end());
        });
        ASSERT_TRUE(Succeeded(dropped));
        EXPECT_EQ(*database->ReadGlobals(), globals);
        EXPECT_EQ(*dropped, replaced.size() - (keeps_last ? 1 : 0));
        // An image of before, if the process ends here, would be of examples that the log does not have.
        if (*dropped > 0) {
          EXPECT_FALSE(ScoreImage::Open(scratch.model()).has_value());
        }
      } else {
        log.reset();
        database.reset();
        database = OpenForWriting(scratch);
        log = std::make_unique<ExampleLog>(*database);
      }
    }
    const uint64_t last = log->last_seq();
    EXPECT_EQ(log->Append(ExampleOf(1000, 0)), last + 1);
  }
}

}  // namespace
}  // namespace thresher::storage
