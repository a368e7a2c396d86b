#include "pipeline/trec/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/trec/experiment.h"

namespace thresher::pipeline {
namespace {

TrecEntry Entry(size_t number, bool spam, bool classify, bool train) {
  return {.is_spam = spam,
          .classify = classify,
          .train = train,
          .taught_spam = spam,
          .path = std::to_string(number),
          .line = number + 1,
          .user = "u",
          .genre = ""};
}

// Three ham for each spam.
TrecIndex SomeIndex(size_t count) {
  TrecIndex index;
  for (size_t i = 0; i < count; ++i) index.entries.push_back(Entry(i, i % 4 == 0, true, true));
  return index;
}

std::vector<std::string> Paths(const TrecIndex& index) {
  std::vector<std::string> paths;
  for (const TrecEntry& entry : index.entries) paths.push_back(entry.path);
  return paths;
}

TEST(Shuffled, HoldsTheSameMessagesInAnOrderByTheSeed) {
  const TrecIndex index = SomeIndex(100);
  const std::vector<std::string> once = Paths(Shuffled(index, 1));
  EXPECT_EQ(once, Paths(Shuffled(index, 1)));
  EXPECT_NE(once, Paths(Shuffled(index, 2)));
  EXPECT_NE(once, Paths(index));
  EXPECT_THAT(once, testing::UnorderedElementsAreArray(Paths(index)));
}

TEST(Shuffled, LateFeedbackStaysBehindWhatItAnswers) {
  TrecIndex index;
  for (size_t i = 0; i < 30; ++i) index.entries.push_back(Entry(i, false, true, false));
  for (size_t i = 0; i < 20; ++i) index.entries.push_back(Entry(i, false, false, true));
  for (size_t i = 0; i < 10; ++i) index.entries.push_back(Entry(i, false, false, true));
  NoteAnswers(&index.entries);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const TrecIndex shuffled = Shuffled(index, seed);
    EXPECT_THAT(Paths(shuffled), testing::UnorderedElementsAreArray(Paths(index)));
    std::set<std::string> classified;
    for (const TrecEntry& entry : shuffled.entries) {
      if (entry.classify) classified.insert(entry.path);
      if (entry.train) {
        EXPECT_TRUE(classified.contains(entry.path)) << seed;
      }
    }
  }
}

TEST(Shuffled, EveryOrderOfThreeIsAsLikely) {
  std::map<std::vector<std::string>, int> orders;
  for (uint64_t seed = 0; seed < 6000; ++seed) ++orders[Paths(Shuffled(SomeIndex(3), seed))];
  EXPECT_EQ(orders.size(), 6U);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 150);
}

TEST(TrainFirst, TakesANumberOrAShare) {
  for (const double first : {3.0, 0.3}) {
    const TrecIndex split = TrainFirst(SomeIndex(10), first);
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(split.entries[i].train, i < 3) << i;
      EXPECT_EQ(split.entries[i].classify, i >= 3) << i;
    }
  }
  EXPECT_FALSE(TrainFirst(SomeIndex(10), 50).entries.back().classify);
  for (const double first : {0.29, 0.57}) {
    const TrecIndex split = TrainFirst(SomeIndex(100), first);
    EXPECT_EQ(std::ranges::count(split.entries, true, &TrecEntry::train), std::lround(100 * first));
  }
}

TEST(TrainFirst, LateFeedbackIsOfTheMessageThatItAnswers) {
  TrecIndex index;
  for (size_t i = 0; i < 10; ++i) {
    index.entries.push_back(Entry(i, false, true, false));
    if (i >= 4) index.entries.push_back(Entry(i - 4, false, false, true));
  }
  NoteAnswers(&index.entries);
  const TrecIndex split = TrainFirst(index, 5);
  EXPECT_THAT(Paths(split), testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(split.entries[i].train, i < 5);
    EXPECT_EQ(split.entries[i].classify, i >= 5);
  }
}

// A message that comes twice is two messages, each with its own feedback.
TEST(TrainFirst, LateFeedbackOnACopyIsNotOfTheOther) {
  TrecIndex index = SomeIndex(3);
  index.entries[1].path = index.entries[0].path;
  Split split;
  split.train_first = 1;
  const TrecIndex arranged = Arranged(index, split, {.delay = 2});
  std::vector<std::pair<size_t, bool>> lines;  // and whether they are trained
  for (const TrecEntry& entry : arranged.entries) lines.emplace_back(entry.line, entry.train);
  EXPECT_THAT(lines, testing::ElementsAre(std::pair(1U, true), std::pair(2U, false), std::pair(3U, false)));
}

TEST(TrainFirst, WhatIsTrainedBeforeItIsJudgedIsAMessageOfItsOwn) {
  TrecIndex index;
  for (size_t i = 0; i < 3; ++i) index.entries.push_back(Entry(i, false, false, true));
  for (size_t i = 0; i < 3; ++i) index.entries.push_back(Entry(i, false, true, true));
  const TrecIndex split = TrainFirst(index, 4);
  EXPECT_THAT(Paths(split), testing::ElementsAre("0", "1", "2", "0", "1", "2"));
  EXPECT_TRUE(split.entries[3].train);
  EXPECT_TRUE(split.entries[4].classify);
}

TEST(Arranged, WhatIsShuffledGetsItsFeedbackAfterTheDelay) {
  const TrecIndex shuffled = Shuffled(SomeIndex(100), 3);
  const TrecIndex arranged = Arranged(SomeIndex(100), {.shuffle = 3}, {.delay = 7});
  std::vector<std::string> judged;
  std::vector<std::string> taught;
  for (const TrecEntry& entry : arranged.entries) {
    (entry.classify ? judged : taught).push_back(entry.path);
    if (entry.train) {
      EXPECT_EQ(judged.size(), std::min<size_t>(100, taught.size() + 7));
    }
  }
  EXPECT_EQ(judged, Paths(shuffled));
  EXPECT_EQ(taught, Paths(shuffled));
}

TEST(Arranged, TheSecondHalfOfWhatIsShuffledGetsItsShareOfSpam) {
  const TrecIndex arranged = Arranged(SomeIndex(4000), {.shuffle = 3}, {.late_spam_share = 0});
  const std::vector<std::string> first = Paths(Shuffled(SomeIndex(4000), 3));
  for (size_t i = 0; i < arranged.entries.size(); ++i) {
    if (i < 2000) {
      EXPECT_EQ(arranged.entries[i].path, first[i]);
    } else {
      EXPECT_FALSE(arranged.entries[i].is_spam);
    }
  }
}

TEST(Fold, EachMessageIsJudgedOnceByAModelThatWasTaughtAllOthers) {
  const TrecIndex index = SomeIndex(50);
  std::multiset<std::string> judged;
  for (uint64_t fold = 0; fold < 7; ++fold) {
    const TrecIndex split = Fold(index, 7, fold);
    EXPECT_EQ(split.entries.size(), 50U);
    std::set<std::string> taught;
    size_t spam = 0;
    bool has_begun = false;
    for (const TrecEntry& entry : split.entries) {
      EXPECT_NE(entry.train, entry.classify);
      EXPECT_FALSE(has_begun && entry.train) << "teaching comes first";
      EXPECT_EQ(entry.user, "u");
      has_begun = entry.classify;
      if (entry.train) taught.insert(entry.path);
      if (entry.classify) {
        judged.insert(entry.path);
        EXPECT_FALSE(taught.contains(entry.path));
        spam += entry.is_spam ? 1 : 0;
      }
    }
    EXPECT_THAT(spam, testing::AnyOf(1, 2)) << "13 spam in 7 folds";
  }
  EXPECT_EQ(judged.size(), 50U);
  EXPECT_EQ(std::set<std::string>(judged.begin(), judged.end()).size(), 50U);
}

TEST(Fold, WhatTheIndexOnlyTrainsOrOnlyJudgesStaysSo) {
  TrecIndex index = SomeIndex(8);
  index.entries.push_back(Entry(8, true, false, true));
  index.entries.push_back(Entry(9, false, true, false));
  size_t trained = 0;
  size_t judged = 0;
  for (uint64_t fold = 0; fold < 2; ++fold) {
    for (const TrecEntry& entry : Fold(index, 2, fold).entries) {
      if (entry.path == "8") trained += entry.train && !entry.classify ? 1 : 0;
      if (entry.path == "9") judged += entry.classify && !entry.train ? 1 : 10;
    }
  }
  EXPECT_EQ(trained, 2U);
  EXPECT_EQ(judged, 1U);
}

TEST(Fold, AFileIsTheSameHoweverItsPathIsWritten) {
  TrecIndex index = SomeIndex(4);
  index.entries[1].path = "a/../" + index.entries[0].path;
  for (uint64_t fold = 0; fold < 2; ++fold) {
    size_t copies = 0;  // learned from where the other is judged
    const TrecIndex split = Fold(index, 2, fold);
    const auto is_copy = [](const TrecEntry& entry) { return entry.line <= 2; };
    const bool judges = std::ranges::any_of(
        split.entries, [&](const TrecEntry& entry) { return entry.classify && is_copy(entry); });
    for (const TrecEntry& entry : split.entries) copies += judges && entry.train && is_copy(entry) ? 1 : 0;
    EXPECT_EQ(copies, 0U) << fold;
  }
}

TEST(Fold, LateFeedbackOnWhatIsJudgedIsLeftOut) {
  TrecIndex index;
  for (size_t i = 0; i < 6; ++i) index.entries.push_back(Entry(i, false, true, false));
  for (size_t i = 0; i < 6; ++i) index.entries.push_back(Entry(i, false, false, true));
  for (uint64_t fold = 0; fold < 2; ++fold) {
    const TrecIndex split = Fold(index, 2, fold);
    EXPECT_THAT(Paths(split), fold == 0 ? testing::ElementsAre("1", "3", "5", "0", "2", "4")
                                        : testing::ElementsAre("0", "2", "4", "1", "3", "5"));
    for (size_t i = 0; i < split.entries.size(); ++i) EXPECT_EQ(split.entries[i].classify, i >= 3);
  }
}

}  // namespace
}  // namespace thresher::pipeline
