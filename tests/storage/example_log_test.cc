#include "storage/example_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/walk.h"
#include "storage/weight_table.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

using testing::UnorderedElementsAre;

bool Same(const Example& a, const Example& b) {
  return a.seq == b.seq && a.time_us == b.time_us && a.label == b.label && a.message_id == b.message_id &&
         a.digest == b.digest && a.features == b.features;
}

Example RandomExample(std::mt19937_64& random) {
  const auto bytes = [&random](size_t size) {
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
  };
  Example example;
  example.time_us = static_cast<int64_t>(random());
  example.label = static_cast<int8_t>(random());
  example.message_id = bytes(random() % 3);  // often the same, and with zero bytes
  example.digest = bytes(random() % 3);
  example.features = bytes(random() % 2 == 0 ? random() % 8 : random() % 9000);
  return example;
}

bool OnDisk(Database& database, uint64_t seq) {
  std::string key;
  AppendBig(seq, &key);
  return DatabaseAccess::ImplOf(database).Get(Family::kExamples, key)->has_value();
}

TEST(ExampleLogTest, NotesAreWrittenWithTheirExample) {
  const TestDirectory scratch;
  {
    const auto database = OpenForWriting(scratch);
    ExampleLog log(*database);
    ASSERT_TRUE(log.Append({.message_id = "a", .digest = {}, .features = {}}, {{"at", "1"}, {"by", "a"}}));
    ASSERT_TRUE(log.WriteNotes({{"at", std::string("2\0", 2)}, {"by", ""}, {"text/x", "3"}}));
    const Example too_long{.message_id = std::string(2000, 'x'), .digest = {}, .features = {}};
    EXPECT_FALSE(log.Append(too_long, {{"at", "9"}}));
  }
  const auto database = OpenForWriting(scratch);
  const ExampleLog log(*database);
  EXPECT_EQ(log.last_seq(), 1U);
  EXPECT_EQ(log.ReadNotes(), (Notes{{"at", std::string("2\0", 2)}, {"text/x", "3"}}));
  EXPECT_FALSE(database->meta().contains("x"));
}

TEST(ExampleLogTest, WhatHasExpiredIsNotSeenAndLeavesTheDisk) {
  constexpr uint64_t kLast = 4000;
  const TestDirectory scratch;
  std::mt19937_64 random(3);
  std::string secret(64, '\0');  // not compressed
  for (char& byte : secret) byte = static_cast<char>(random());
  const auto is_on_disk = [&] {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      if (bytes.find(secret) != std::string::npos) return true;
    }
    return false;
  };
  auto database = OpenForWriting(scratch);
  {
    ExampleLog log(*database);
    WeightTable weights(*database, 8);
    const auto all = [](const std::byte*) { return true; };
    for (uint64_t seq = 1; seq <= kLast; ++seq) {
      Example example = RandomExample(random);
      example.message_id = std::to_string(seq);
      example.digest = "d";
      if (seq == 1000) example.features.insert(example.features.end(), secret.begin(), secret.end());
      ASSERT_EQ(log.Append(example), seq);
      if (seq == 1001) {
        EXPECT_TRUE(is_on_disk());
      }
      if (seq == 3001) {
        log.SetExtent({.first_seq = 2500, .bytes = 7});
        EXPECT_TRUE(log.Get(1)->has_value());  // until the next checkpoint
        // Whether a message is known depends on the examples alone, not on when checkpoints are made.
        EXPECT_FALSE(log.Find("2499", "d")->has_value());
        EXPECT_TRUE(log.DigestsOf("2499")->empty());
        EXPECT_EQ(*log.Find("2500", "d"), 2500U);
        ASSERT_TRUE(Succeeded(weights.Checkpoint({}, seq, all, all)));
        EXPECT_FALSE(log.Get(2499)->has_value());
      }
    }
    ASSERT_TRUE(Succeeded(database->Compact()));
  }
  for (int session = 0; session < 2; ++session) {
    database.reset();
    database = OpenForWriting(scratch);
    ExampleLog log(*database);
    EXPECT_EQ(log.extent(), (LogExtent{.first_seq = 2500, .bytes = 7}));
    uint64_t expected = 2500;
    ASSERT_TRUE(Succeeded(log.Read(0, [&expected](const Example& example) {
      EXPECT_EQ(example.seq, expected++);
      return true;
    })));
    EXPECT_EQ(expected, kLast + 1);
    EXPECT_FALSE(log.Find("2499", "d")->has_value());
    EXPECT_EQ(*log.Find("2500", "d"), 2500U);
    EXPECT_TRUE(log.DigestsOf("2499")->empty());
    EXPECT_EQ(log.DigestsOf("2500")->size(), 1U);
    EXPECT_FALSE(is_on_disk());
    EXPECT_FALSE(OnDisk(*database, 1));
    EXPECT_FALSE(DatabaseAccess::ImplOf(*database).Get(Family::kIds, MessageKeyBytes("1", "d"))->has_value());
  }
}

// In both forms of a checkpoint: a batch, and table files.
TEST(ExampleLogTest, SomeExpiredExamplesAreKept) {
  for (const size_t largest_batch : {size_t{1} << 20, size_t{0}}) {
    const TestDirectory scratch;
    std::mt19937_64 random(4);
    std::map<uint64_t, Example> taught;
    // Expires what is before `first`, but for `kept`.
    const auto expire = [&](uint64_t first, const std::vector<uint64_t>& kept) {
      const auto database = OpenForWriting(scratch);
      DatabaseAccess::ImplOf(*database).set_largest_batch(largest_batch);
      ExampleLog log(*database);
      WeightTable weights(*database, 8);
      const auto all = [](const std::byte*) { return true; };
      Example example = RandomExample(random);
      example.message_id = std::to_string(first);
      const uint64_t seq = log.Append(example).value();
      taught[seq] = example;
      log.SetExtent({.first_seq = first, .bytes = 0});
      log.KeepExpired(kept);
      ASSERT_TRUE(Succeeded(weights.Checkpoint({}, seq, all, all)));
    };
    const auto expect_kept = [&](const std::vector<uint64_t>& kept) {
      const auto database = Database::OpenForReading(scratch.model()).value();
      const ExampleLog log(*database);
      for (uint64_t seq = 1; seq < log.extent().first_seq; ++seq) {
        const auto found = log.Get(seq).value();
        ASSERT_EQ(found.has_value(), std::ranges::count(kept, seq) == 1) << seq;
        if (!found) continue;
        taught[seq].seq = seq;
        EXPECT_TRUE(Same(*found, taught[seq])) << seq;
      }
      std::vector<uint64_t> walked;
      ASSERT_TRUE(Succeeded(WalkKeptExamples(*database, [&](const StoredExample& stored) {
        walked.push_back(*stored.seq);
        return stored.example.has_value();
      })));
      EXPECT_EQ(walked, kept);
    };
    for (int i = 0; i < 20; ++i) expire(1, {});
    expire(12, {2, 5, 11});
    expect_kept({2, 5, 11});
    expire(18, {5, 11, 12, 17});
    expect_kept({5, 11, 12, 17});
    expire(18, {17});
    expect_kept({17});
    expire(20, {});
    expect_kept({});
  }
}

TEST(ExampleLogTest, GivesBackWhatWasAppendedInOrder) {
  const TestDirectory scratch;
  std::mt19937_64 random(1);
  std::vector<Example> twin;
  std::map<std::pair<std::string, std::string>, uint64_t> last;
  for (int session = 0; session < 5; ++session) {
    const auto database = OpenForWriting(scratch);
    ExampleLog log(*database);
    ASSERT_EQ(log.last_seq(), twin.size());
    for (int i = 0; i < 60; ++i) {
      Example example = RandomExample(random);
      const auto seq = log.Append(example);
      ASSERT_TRUE(Succeeded(seq));
      ASSERT_EQ(*seq, twin.size() + 1);
      example.seq = *seq;
      last[{example.message_id, example.digest}] = *seq;
      twin.push_back(example);
    }
    for (const uint64_t after : {uint64_t{0}, random() % twin.size(), twin.size() - 1, twin.size()}) {
      uint64_t next = after;
      ASSERT_TRUE(Succeeded(log.Read(after, [&](const Example& example) {
        EXPECT_TRUE(Same(example, twin[next]));
        ++next;
        return true;
      })));
      EXPECT_EQ(next, twin.size());
    }
    for (const auto& [key, seq] : last) EXPECT_EQ(*log.Find(key.first, key.second), std::optional(seq));
  }
}

TEST(ExampleLogTest, ReadStopsWhenToldTo) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(Succeeded(log.Append({})));
  int visits = 0;
  ASSERT_TRUE(Succeeded(log.Read(1, [&](const Example&) { return ++visits < 2; })));
  EXPECT_EQ(visits, 2);
}

TEST(ExampleLogTest, GetAndFindKnowWhatIsNotThere) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  Example example;
  example.message_id = "a@b";
  example.digest = "d";
  ASSERT_TRUE(Succeeded(log.Append(example)));
  ASSERT_TRUE(Succeeded(log.Get(1)));
  EXPECT_EQ((*log.Get(1))->message_id, "a@b");
  EXPECT_EQ(*log.Get(0), std::nullopt);
  EXPECT_EQ(*log.Get(2), std::nullopt);
  EXPECT_EQ(*log.Find("a@b", ""), std::nullopt);
  EXPECT_EQ(*log.Find("a@bd", ""), std::nullopt);
  EXPECT_EQ(*log.Find("a@b", "d"), std::optional<uint64_t>(1));
}

TEST(ExampleLogTest, DigestsOfOneMessageIdAreNobodyElses) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  const std::string zero("a\0b", 3);
  for (const auto& [id, digest] :
       std::vector<std::pair<std::string, std::string>>{{"a", "1"},
                                                        {"a", "2"},
                                                        {"a", "1"},
                                                        {"ab", "3"},
                                                        {"", "4"},
                                                        {zero, "5"},
                                                        {"a", std::string("\0b", 2)}}) {
    Example example;
    example.message_id = id;
    example.digest = digest;
    ASSERT_TRUE(Succeeded(log.Append(example)));
  }
  EXPECT_THAT(*log.DigestsOf("a"), UnorderedElementsAre("1", "2", std::string("\0b", 2)));
  EXPECT_THAT(*log.DigestsOf(""), UnorderedElementsAre("4"));
  EXPECT_THAT(*log.DigestsOf(zero), UnorderedElementsAre("5"));
  EXPECT_THAT(*log.DigestsOf("b"), UnorderedElementsAre());
}

TEST(ExampleLogTest, RefusesAKeyThatIsTooLong) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  Example example;
  example.message_id.assign(1000, 'x');
  example.digest.assign(24, 'y');
  EXPECT_TRUE(Succeeded(log.Append(example)));
  example.digest.push_back('y');
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, log.Append(example)));
  EXPECT_EQ(log.last_seq(), 1U);
}

TEST(ExampleLogTest, AReaderSeesWhatWasWrittenWhenItOpened) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  ASSERT_TRUE(Succeeded(log.Append({})));
  const auto reader = Database::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  ASSERT_TRUE(Succeeded(log.Append({})));
  EXPECT_EQ(ExampleLog(**reader).last_seq(), 1U);
  const auto later = Database::OpenForReading(scratch.model());
  EXPECT_EQ(ExampleLog(**later).last_seq(), 2U);
}

TEST(ExampleCodecTest, RefusesEveryOtherBytes) {
  std::mt19937_64 random(2);
  for (uint64_t seq = 1; seq < 40; ++seq) {
    const std::string bytes = EncodeExample(seq, RandomExample(random));
    ASSERT_TRUE(DecodeExample(seq, bytes).has_value());
    EXPECT_FALSE(DecodeExample(seq + 1, bytes).has_value());
    for (size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
      EXPECT_FALSE(DecodeExample(seq, bytes.substr(0, size)).has_value());
    }
    for (size_t i = 0; i < bytes.size(); i += 1 + i / 32) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << random() % 8));
      EXPECT_FALSE(DecodeExample(seq, flipped).has_value());
    }
  }
}

}  // namespace
}  // namespace thresher::storage
