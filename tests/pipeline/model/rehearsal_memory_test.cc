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

// Keeps every example; the memory has the newest of them.
struct Twin {
  struct Example {
    Label label;
    RehearsalMemory::Entry entry;
  };
  std::vector<Example> examples;

  std::vector<uint64_t> Of(Label label, size_t most) const {
    std::vector<uint64_t> seqs;
    for (const Example& example : examples) {
      if (example.label == label) seqs.push_back(example.entry.seq);
    }
    if (seqs.size() > most) seqs.erase(seqs.begin(), seqs.end() - static_cast<ptrdiff_t>(most));
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
  for (const uint64_t seq : {2U, 5U, 6U, 9U}) memory.Add(Label::kSpam, {.seq = seq, .message = seq}, 10);
  memory.Wait(Label::kHam, {.seq = 5, .message = 5});
  memory.Wait(Label::kHam, {.seq = 7, .message = 7});
  memory.Renumber([](uint64_t seq) { return seq == 5 ? 0 : seq < 5 ? seq : seq - 1; });
  EXPECT_EQ(SeqsOf(memory, Label::kSpam), (std::vector<uint64_t>{2, 5, 8}));
  ASSERT_EQ(memory.waiting(Label::kHam), 1U);
  EXPECT_EQ(memory.TakeWaiting(Label::kHam), (RehearsalMemory::Entry{.seq = 6, .message = 7}));
}

TEST(RehearsalMemory, HoldsTheNewestOfEachClass) {
  constexpr size_t kMost = 7;
  std::mt19937 random(11);
  RehearsalMemory memory;
  Twin twin;
  for (uint64_t seq = 1; seq <= 2000; ++seq) {
    const Label label = random() % 5 == 0 ? Label::kSpam : Label::kHam;
    const RehearsalMemory::Entry entry{seq, random() % 500};
    memory.Add(label, entry, kMost);
    twin.examples.push_back({label, entry});
    for (const Label each : kLabels) ASSERT_EQ(SeqsOf(memory, each), twin.Of(each, kMost)) << seq;
    std::vector<uint64_t> before;
    for (const Label each : kLabels) std::ranges::copy(twin.Of(each, kMost), std::back_inserter(before));
    const uint64_t first = seq - std::min<uint64_t>(seq, random() % 20);
    std::erase_if(before, [&](uint64_t number) { return number >= first; });
    std::ranges::sort(before);
    ASSERT_EQ(memory.Before(first), before) << seq;
  }
}

TEST(RehearsalMemory, ForgetsAllExamplesOfAMessage) {
  RehearsalMemory memory;
  memory.Add(Label::kHam, {1, 10}, 5);
  memory.Add(Label::kHam, {2, 20}, 5);
  memory.Add(Label::kSpam, {3, 10}, 5);
  memory.Add(Label::kHam, {4, 10}, 5);
  memory.Forget(10);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(2));
  EXPECT_EQ(memory.size(Label::kSpam), 0U);
}

TEST(RehearsalMemory, GoesThroughAClassInTurn) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 3; ++seq) memory.Add(Label::kSpam, {seq, seq}, 5);
  std::vector<uint64_t> drawn;
  for (int i = 0; i < 7; ++i) drawn.push_back(memory.Next(Label::kSpam).seq);
  EXPECT_THAT(drawn, testing::ElementsAre(1, 2, 3, 1, 2, 3, 1));
}

TEST(RehearsalMemory, ThoseThatWaitAreTakenInOrder) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 6; ++seq) memory.Wait(Label::kHam, {seq, seq});
  memory.Add(Label::kHam, {7, 7}, 5);
  memory.Forget(3);
  EXPECT_THAT(memory.Before(5), testing::ElementsAre(1, 2, 4));
  EXPECT_EQ(memory.TakeWaiting(Label::kHam).seq, 1U);
  EXPECT_EQ(memory.waiting(Label::kHam), 4U);
  EXPECT_EQ(memory.waiting(Label::kSpam), 0U);
  EXPECT_EQ(memory.TakeWaiting(Label::kHam).seq, 2U);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(7));
  memory.EndWaiting(3);
  EXPECT_EQ(memory.waiting(Label::kHam), 0U);
  EXPECT_THAT(SeqsOf(memory, Label::kHam), testing::ElementsAre(5, 6, 7));
}

TEST(RehearsalMemory, IsStoredAndRead) {
  RehearsalMemory memory;
  EXPECT_TRUE(Stored(memory).empty());
  for (uint64_t seq = 1; seq <= 9; ++seq) memory.Add(kLabels[seq % 3 == 0], {seq, seq * seq}, 4);
  memory.Next(Label::kSpam);
  RehearsalMemory read;
  ASSERT_TRUE(read.Assign(Stored(memory)));
  EXPECT_EQ(read, memory);
  memory.Wait(Label::kSpam, {10, 3});
  ASSERT_TRUE(read.Assign(Stored(memory)));
  EXPECT_EQ(read, memory);
  ASSERT_TRUE(read.Assign({}));
  EXPECT_EQ(read, RehearsalMemory());
}

TEST(RehearsalMemory, WrongBytesAreRefused) {
  RehearsalMemory memory;
  for (uint64_t seq = 1; seq <= 4; ++seq) memory.Add(Label::kHam, {seq, 5}, 4);
  const size_t without_waiting = Stored(memory).size();
  memory.Wait(Label::kHam, {5, 6});
  const std::vector<std::byte> stored = Stored(memory);
  RehearsalMemory read = memory;
  for (size_t size = 1; size < stored.size(); ++size)
    EXPECT_EQ(RehearsalMemory().Assign(std::span(stored).first(size)), size == without_waiting) << size;
  std::vector<std::byte> longer = stored;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(read.Assign(longer));
  std::vector<std::byte> many = stored;
  std::fill_n(many.begin(), 8, std::byte{0xff});
  EXPECT_FALSE(read.Assign(many));
  std::vector<std::byte> falling = stored;
  std::swap_ranges(falling.begin() + 16, falling.begin() + 24, falling.begin() + 32);
  EXPECT_FALSE(read.Assign(falling));
  EXPECT_EQ(read, memory);
}

TEST(RehearsalMemory, AMessageIsItsIdAndDigest) {
  EXPECT_NE(RehearsalMemory::HashOfMessage("ab", "c"), RehearsalMemory::HashOfMessage("a", "bc"));
  EXPECT_EQ(RehearsalMemory::HashOfMessage("a", "b"), RehearsalMemory::HashOfMessage("a", "b"));
}

}  // namespace
}  // namespace thresher::pipeline
