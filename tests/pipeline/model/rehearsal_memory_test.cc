#include "pipeline/model/rehearsal_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

namespace thresher::pipeline {
namespace {

using learners::Label;

constexpr std::array kLabels = {Label::kHam, Label::kSpam};
constexpr learners::RehearsalLimits kTen = {.examples = 10};

// Keeps every example; the memory has the newest of them.
struct Twin {
  struct Example {
    Label label;
    RehearsalMemory::Entry entry;
  };
  learners::RehearsalLimits most;
  std::vector<Example> examples;

  std::vector<uint64_t> Of(Label label) const {
    std::vector<uint64_t> seqs;
    uint64_t bytes = 0;
    for (size_t i = examples.size(); i-- > 0;) {
      if (examples[i].label != label) continue;
      bytes += examples[i].entry.bytes;
      if (seqs.size() == most.examples || (bytes > most.bytes && !seqs.empty())) break;
      seqs.insert(seqs.begin(), examples[i].entry.seq);
    }
    return seqs;
  }
};

std::vector<uint64_t> SeqsOf(const RehearsalMemory& memory, Label label) {
  std::vector<uint64_t> seqs;
  for (size_t i = 0; i < memory.size(label); ++i) seqs.push_back(memory.At(label, i).seq);
  return seqs;
}

std::vector<std::byte> Stored(const RehearsalMemory& memory) {
  std::vector<std::byte> stored;
  memory.AppendTo(&stored);
  return stored;
}

TEST(RehearsalMemory, HasNewNumbersWithoutWhatWasDropped) {
  RehearsalMemory memory;
  for (const uint64_t seq : {2U, 5U, 6U, 9U}) memory.Add(Label::kSpam, {.seq = seq, .message = seq}, kTen);
  memory.Wait(Label::kHam, {.seq = 5, .message = 5}, kTen);
  memory.Wait(Label::kHam, {.seq = 7, .message = 7, .bytes = 3}, kTen);
  memory.Renumber([](uint64_t seq) { return seq == 5 ? 0 : seq < 5 ? seq : seq - 1; });
  EXPECT_EQ(SeqsOf(memory, Label::kSpam), (std::vector<uint64_t>{2, 5, 8}));
  ASSERT_EQ(memory.waiting(Label::kHam), 1U);
  EXPECT_EQ(memory.TakeWaiting(Label::kHam), (RehearsalMemory::Entry{.seq = 6, .message = 7, .bytes = 3}));
}

// Some examples are larger than some of the limits.
TEST(RehearsalMemory, HoldsTheNewestOfEachClass) {
  for (const uint64_t most_bytes : {uint64_t{0}, uint64_t{150}, uint64_t{400}, UINT64_MAX}) {
    std::mt19937 random(11);
    RehearsalMemory memory;
    Twin twin{.most = {.examples = 7, .bytes = most_bytes}, .examples = {}};
    for (uint64_t seq = 1; seq <= 1000; ++seq) {
      const Label label = random() % 5 == 0 ? Label::kSpam : Label::kHam;
      const RehearsalMemory::Entry entry{seq, random() % 500, static_cast<uint32_t>(random() % 300)};
      memory.Add(label, entry, twin.most);
      twin.examples.push_back({label, entry});
      for (const Label each : kLabels) ASSERT_EQ(SeqsOf(memory, each), twin.Of(each)) << seq;
      std::vector<uint64_t> before;
      for (const Label each : kLabels) std::ranges::copy(twin.Of(each), std::back_inserter(before));
      const uint64_t first = seq - std::min<uint64_t>(seq, random() % 20);
      std::erase_if(before, [&](uint64_t number) { return number >= first; });
      std::ranges::sort(before);
      ASSERT_EQ(memory.Before(first), before) << seq;
    }
  }
}

TEST(RehearsalMemory, OneExampleStaysHoweverLargeItIs) {
  constexpr learners::RehearsalLimits kMost = {.examples = 5, .bytes = 100};
  RehearsalMemory memory;
  memory.Add(Label::kHam, {.seq = 1, .message = 1, .bytes = 100}, kMost);
  memory.Add(Label::kSpam, {.seq = 2, .message = 2, .bytes = 60}, kMost);
  memory.Add(Label::kSpam, {.seq = 3, .message = 3, .bytes = 5000}, kMost);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(1));
  EXPECT_THAT(SeqsOf(memory, Label::kSpam), testing::ElementsAre(3));
  memory.Add(Label::kSpam, {.seq = 4, .message = 4, .bytes = 40}, kMost);
  memory.Add(Label::kSpam, {.seq = 5, .message = 5, .bytes = 60}, kMost);
  EXPECT_THAT(SeqsOf(memory, Label::kSpam), testing::ElementsAre(4, 5));
}

// What waits is not learned yet, so what is remembered leaves for it.
TEST(RehearsalMemory, WhatWaitsCountsAsWell) {
  constexpr learners::RehearsalLimits kMost = {.examples = 5, .bytes = 100};
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 3; ++seq) memory.Add(Label::kHam, {seq, seq, 30}, kMost);
  memory.Wait(Label::kHam, {.seq = 4, .message = 4, .bytes = 40}, kMost);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(2, 3));
  EXPECT_FALSE(memory.WaitTooMany(Label::kHam, kMost));
  memory.Wait(Label::kHam, {.seq = 5, .message = 5, .bytes = 61}, kMost);
  EXPECT_EQ(memory.size(Label::kHam), 0U);
  EXPECT_TRUE(memory.WaitTooMany(Label::kHam, kMost));
  EXPECT_EQ(memory.TakeWaiting(Label::kHam).seq, 4U);
  EXPECT_FALSE(memory.WaitTooMany(Label::kHam, kMost));
  memory.Add(Label::kHam, {.seq = 6, .message = 6, .bytes = 40}, kMost);
  EXPECT_EQ(memory.size(Label::kHam), 0U);
  memory.Add(Label::kHam, {.seq = 7, .message = 7, .bytes = 39}, kMost);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(7));
  memory.Wait(Label::kHam, {.seq = 8, .message = 8, .bytes = 500}, kMost);
  EXPECT_TRUE(memory.WaitTooMany(Label::kHam, kMost));
  memory.TakeWaiting(Label::kHam);
  EXPECT_FALSE(memory.WaitTooMany(Label::kHam, kMost));  // one may wait, whatever its size
}

TEST(RehearsalMemory, ForgetsAllExamplesOfAMessage) {
  RehearsalMemory memory;
  memory.Add(Label::kHam, {1, 10}, kTen);
  memory.Add(Label::kHam, {2, 20}, kTen);
  memory.Add(Label::kSpam, {3, 10}, kTen);
  memory.Add(Label::kHam, {4, 10}, kTen);
  memory.Forget(10);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(2));
  EXPECT_EQ(memory.size(Label::kSpam), 0U);
}

TEST(RehearsalMemory, GoesThroughAClassInTurn) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 3; ++seq) memory.Add(Label::kSpam, {seq, seq}, kTen);
  std::vector<uint64_t> drawn;
  for (int i = 0; i < 7; ++i) drawn.push_back(memory.Next(Label::kSpam).seq);
  EXPECT_THAT(drawn, testing::ElementsAre(1, 2, 3, 1, 2, 3, 1));
}

TEST(RehearsalMemory, ThoseThatWaitAreTakenInOrder) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 6; ++seq) memory.Wait(Label::kHam, {seq, seq}, kTen);
  memory.Add(Label::kHam, {7, 7}, kTen);
  memory.Forget(3);
  EXPECT_THAT(memory.Before(5), testing::ElementsAre(1, 2, 4));
  EXPECT_EQ(memory.TakeWaiting(Label::kHam).seq, 1U);
  EXPECT_EQ(memory.waiting(Label::kHam), 4U);
  EXPECT_EQ(memory.waiting(Label::kSpam), 0U);
  EXPECT_EQ(memory.TakeWaiting(Label::kHam).seq, 2U);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(7));
  memory.EndWaiting({.examples = 3});
  EXPECT_EQ(memory.waiting(Label::kHam), 0U);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(5, 6, 7));
}

// With bytes, and without, as programs wrote it that did not limit them.
TEST(RehearsalMemory, IsStoredAndRead) {
  constexpr learners::RehearsalLimits kMost = {.examples = 4};
  for (const uint32_t bytes : {0U, 7U}) {
    RehearsalMemory memory;
    EXPECT_TRUE(Stored(memory).empty());
    for (uint64_t seq = 1; seq <= 9; ++seq) memory.Add(kLabels[seq % 3 == 0], {seq, seq * seq, bytes}, kMost);
    memory.Next(Label::kSpam);
    EXPECT_EQ(Stored(memory).size(), 4 * 8 + 7 * 16 + (bytes > 0 ? 8 + 7 * 4 : 0));
    RehearsalMemory read;
    ASSERT_TRUE(read.Assign(Stored(memory)));
    EXPECT_EQ(read, memory);
    memory.Wait(Label::kSpam, {10, 3, 2 * bytes}, kMost);
    ASSERT_TRUE(read.Assign(Stored(memory)));
    EXPECT_EQ(read, memory);
    ASSERT_TRUE(read.Assign({}));
    EXPECT_EQ(read, RehearsalMemory());
  }
}

TEST(RehearsalMemory, WrongBytesAreRefused) {
  for (const uint32_t bytes : {0U, 7U}) {
    RehearsalMemory memory;
    for (uint64_t seq = 1; seq <= 4; ++seq) memory.Add(Label::kHam, {seq, 5, bytes}, kTen);
    const size_t without_waiting = Stored(memory).size();
    memory.Wait(Label::kHam, {5, 6, bytes}, kTen);
    const std::vector<std::byte> stored = Stored(memory);
    const auto first = static_cast<ptrdiff_t>(bytes > 0 ? 8 : 0);  // number of entries
    const ptrdiff_t each = bytes > 0 ? 20 : 16;
    RehearsalMemory read = memory;
    for (size_t size = 1; size < stored.size(); ++size)
      EXPECT_EQ(RehearsalMemory().Assign(std::span(stored).first(size)), size == without_waiting) << size;
    std::vector<std::byte> longer = stored;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(read.Assign(longer));
    for (const std::byte high : {std::byte{0x7f}, std::byte{0xff}}) {
      std::vector<std::byte> many = stored;
      std::fill_n(many.begin() + first, 8, high);
      EXPECT_FALSE(read.Assign(many));
    }
    std::vector<std::byte> falling = stored;
    const auto seq = falling.begin() + first + 16;
    std::swap_ranges(seq, seq + 8, seq + each);
    EXPECT_FALSE(read.Assign(falling));
    EXPECT_EQ(read, memory);
  }
}

// Equal memories are stored as equal bytes.
TEST(RehearsalMemory, BytesThatAreAllZeroAreRefused) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 2; ++seq) memory.Add(Label::kHam, {seq, seq, 1}, kTen);
  std::vector<std::byte> stored = Stored(memory);
  const auto bytes = stored.begin() + 8 + 16 + 16;
  ASSERT_EQ(bytes[0], std::byte{1});
  bytes[0] = std::byte{0};
  EXPECT_TRUE(RehearsalMemory().Assign(stored));
  ASSERT_EQ(bytes[20], std::byte{1});
  bytes[20] = std::byte{0};
  EXPECT_FALSE(RehearsalMemory().Assign(stored));
  stored.assign(8, std::byte{0xff});
  EXPECT_FALSE(RehearsalMemory().Assign(stored));
  stored.resize(8 + 4 * 8);  // no example at all
  EXPECT_FALSE(RehearsalMemory().Assign(stored));
}

TEST(RehearsalMemory, AMessageIsItsIdAndDigest) {
  EXPECT_NE(RehearsalMemory::HashOfMessage("ab", "c"), RehearsalMemory::HashOfMessage("a", "bc"));
  EXPECT_EQ(RehearsalMemory::HashOfMessage("a", "b"), RehearsalMemory::HashOfMessage("a", "b"));
}

}  // namespace
}  // namespace thresher::pipeline
