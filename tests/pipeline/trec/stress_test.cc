#include "pipeline/trec/stress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thresher::pipeline {
namespace {

// Every third message is spam.
TrecIndex IndexOfThirds(size_t count) {
  TrecIndex index;
  for (size_t i = 0; i < count; ++i) {
    const bool spam = i % 3 == 0;
    index.entries.push_back({.is_spam = spam,
                             .classify = true,
                             .train = true,
                             .taught_spam = spam,
                             .path = std::to_string(i),
                             .line = i + 1,
                             .user = "",
                             .genre = ""});
  }
  return index;
}

double ShareOf(const std::vector<TrecEntry>& entries, bool (*has)(const TrecEntry&)) {
  return static_cast<double>(std::count_if(entries.begin(), entries.end(), has)) /
         static_cast<double>(entries.size());
}

TEST(Stressed, NothingAskedNothingChanged) {
  const TrecIndex index = Stressed(IndexOfThirds(50), {});
  ASSERT_EQ(index.entries.size(), 50U);
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(index.entries[i].line, i + 1);
    EXPECT_TRUE(index.entries[i].classify && index.entries[i].train);
    EXPECT_EQ(index.entries[i].taught_spam, index.entries[i].is_spam);
  }
}

TEST(Stressed, FlipsAndDropsFeedbackByShares) {
  const auto entries = Stressed(IndexOfThirds(20000), {.flip = 0.1, .share = 0.25}).entries;
  ASSERT_EQ(entries.size(), 20000U);
  EXPECT_NEAR(ShareOf(entries, [](const TrecEntry& e) { return e.taught_spam != e.is_spam; }), 0.1, 0.01);
  EXPECT_NEAR(ShareOf(entries, [](const TrecEntry& e) { return e.train; }), 0.25, 0.015);
  EXPECT_EQ(ShareOf(entries, [](const TrecEntry& e) { return e.classify; }), 1);
  const auto again = Stressed(IndexOfThirds(20000), {.flip = 0.1, .share = 0.25}).entries;
  const auto other = Stressed(IndexOfThirds(20000), {.flip = 0.1, .share = 0.25, .seed = 2}).entries;
  const auto same_labels = [](const TrecEntry& a, const TrecEntry& b) {
    return a.taught_spam == b.taught_spam;
  };
  EXPECT_TRUE(std::equal(entries.begin(), entries.end(), again.begin(), same_labels));
  EXPECT_FALSE(std::equal(entries.begin(), entries.end(), other.begin(), same_labels));
}

TEST(Stressed, FeedbackComesAfterTheDelayAndNoneIsLost) {
  for (const uint64_t delay : {1U, 7U, 100U, 5000U}) {
    const auto entries = Stressed(IndexOfThirds(100), {.delay = delay}).entries;
    ASSERT_EQ(entries.size(), 200U);
    std::set<size_t> classified;
    std::set<size_t> taught;
    for (const TrecEntry& entry : entries) {
      EXPECT_NE(entry.classify, entry.train);
      if (entry.classify) {
        classified.insert(entry.line);
        continue;
      }
      EXPECT_TRUE(classified.contains(entry.line));
      EXPECT_EQ(classified.size(), std::min<size_t>(100, entry.line + delay));
      EXPECT_TRUE(taught.insert(entry.line).second);
    }
    EXPECT_EQ(taught.size(), 100U);
  }
}

TEST(Stressed, TheSecondHalfGetsItsShareOfSpam) {
  for (const double wanted : {0.0, 0.1, 0.6, 1.0}) {
    const auto entries = Stressed(IndexOfThirds(6000), {.late_spam_share = wanted}).entries;
    ASSERT_GT(entries.size(), 3500U);
    for (size_t i = 0; i < 3000; ++i) EXPECT_EQ(entries[i].line, i + 1);
    const std::vector<TrecEntry> late(entries.begin() + 3000, entries.end());
    EXPECT_NEAR(ShareOf(late, [](const TrecEntry& e) { return e.is_spam; }), wanted, 0.05);
  }
}

// Two of each message: one that classifies it, one that teaches it much later.
TrecIndex DelayedByItself(size_t count) {
  TrecIndex index = IndexOfThirds(count);
  for (TrecEntry& entry : index.entries) entry.train = false;
  const std::vector<TrecEntry> messages = index.entries;
  for (const TrecEntry& message : messages) {
    TrecEntry feedback = message;
    feedback.classify = false;
    feedback.train = true;
    feedback.line += messages.size();
    feedback.answers = message.line;
    index.entries.push_back(feedback);
  }
  return index;
}

TEST(Stressed, FeedbackThatTheIndexDelaysIsFlippedAndDroppedToo) {
  const auto entries = Stressed(DelayedByItself(20000), {.flip = 0.1, .share = 0.25}).entries;
  const std::vector<TrecEntry> messages(entries.begin(), entries.begin() + 20000);
  const std::vector<TrecEntry> feedback(entries.begin() + 20000, entries.end());
  EXPECT_EQ(ShareOf(messages, [](const TrecEntry& e) { return e.classify && e.taught_spam == e.is_spam; }),
            1);
  EXPECT_NEAR(static_cast<double>(feedback.size()), 5000, 300);
  EXPECT_EQ(ShareOf(feedback, [](const TrecEntry& e) { return e.train && e.answers != 0; }), 1);
  EXPECT_NEAR(ShareOf(feedback, [](const TrecEntry& e) { return e.taught_spam != e.is_spam; }), 0.1, 0.02);
}

TEST(CheckStress, WhatWouldChangeNothingIsRefused) {
  const TrecIndex usual = IndexOfThirds(2);
  const TrecIndex delayed = DelayedByItself(2);
  TrecIndex only_taught = IndexOfThirds(2);
  for (TrecEntry& entry : only_taught.entries) entry.classify = false;
  TrecIndex only_judged = IndexOfThirds(2);
  for (TrecEntry& entry : only_judged.entries) entry.train = false;
  const auto refused = [](const TrecIndex& index, const Stress& stress) {
    const auto checked = CheckStress(index, stress);
    if (checked) return std::string();
    EXPECT_EQ(checked.error().exit_code, kUsage);
    return checked.error().message.substr(0, checked.error().message.find(':'));
  };
  for (const Stress& stress : {Stress{.flip = 1}, Stress{.share = 0}, Stress{.delay = 1}, Stress{}})
    EXPECT_EQ(refused(usual, stress), "");
  for (const Stress& stress : {Stress{.flip = 1}, Stress{.share = 0}, Stress{}})
    EXPECT_EQ(refused(delayed, stress), "");
  EXPECT_EQ(refused(delayed, {.delay = 1}), "--delay");
  for (const TrecIndex& index : {only_taught, only_judged}) {
    EXPECT_EQ(refused(index, {.flip = 1}), "--flip");
    EXPECT_EQ(refused(index, {.share = 0}), "--share");
    EXPECT_EQ(refused(index, {.delay = 1}), "--delay");
    EXPECT_EQ(refused(index, {.late_spam_share = 0.5, .seed = 7}), "");
  }
}

TEST(Stressed, WhatTheIndexOnlyTeachesStays) {
  TrecIndex index = IndexOfThirds(2);
  index.entries[0].train = false;
  index.entries[1].classify = false;
  const auto entries = Stressed(index, {.flip = 1, .share = 0, .delay = 3}).entries;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_TRUE(entries[0].classify && !entries[0].train);
  EXPECT_TRUE(!entries[1].classify && entries[1].train);
  EXPECT_EQ(entries[1].taught_spam, entries[1].is_spam);
}

TEST(Stressed, LateFeedbackIsDroppedWithItsMessageOnly) {
  TrecIndex index = DelayedByItself(30000);
  // The second half has the last third of the messages, and feedback on them and on the third before, of
  // which nothing may be dropped.
  std::rotate(index.entries.begin() + 20000, index.entries.begin() + 30000, index.entries.begin() + 40000);
  const auto entries = Stressed(index, {.late_spam_share = 0.9}).entries;
  std::set<size_t> classified;
  std::set<size_t> answered;
  for (const TrecEntry& entry : entries)
    (entry.classify ? classified : answered).insert(entry.classify ? entry.line : entry.answers);
  EXPECT_EQ(classified, answered);
  EXPECT_LT(classified.size(), 30000U);
  const auto late = [](const TrecEntry& entry) { return entry.classify && entry.line > 20000; };
  const auto all = std::count_if(entries.begin(), entries.end(), late);
  const auto spam = std::count_if(entries.begin(), entries.end(),
                                  [&](const TrecEntry& entry) { return late(entry) && entry.is_spam; });
  EXPECT_NEAR(static_cast<double>(spam) / static_cast<double>(all), 0.9, 0.03);
}

TEST(Wants, ErrorsAreWhatAReaderWouldMove) {
  EXPECT_TRUE(Wants(Feedback::kErrors, Verdict::kSpam, false));
  EXPECT_TRUE(Wants(Feedback::kErrors, Verdict::kUnsure, true));
  EXPECT_TRUE(Wants(Feedback::kErrors, Verdict::kHam, true));
  EXPECT_FALSE(Wants(Feedback::kErrors, Verdict::kUnsure, false));
  EXPECT_FALSE(Wants(Feedback::kErrors, Verdict::kSpam, true));
  EXPECT_TRUE(Wants(Feedback::kUnsure, Verdict::kUnsure, false));
  EXPECT_FALSE(Wants(Feedback::kUnsure, Verdict::kHam, true));
  EXPECT_TRUE(Wants(Feedback::kAll, Verdict::kHam, false));
}

}  // namespace
}  // namespace thresher::pipeline
