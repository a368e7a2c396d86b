#include "pipeline/serve/recent_verdicts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

Judged JudgedAs(Verdict verdict, const std::string& digest, const std::string& user = "") {
  Judged judged;
  judged.verdict = verdict;
  judged.score = {.margin = 2, .probability = 0.75};
  judged.key = {tokenizer::MessageIdOf(user, "id@example.org"), digest};
  return judged;
}

TEST(RecentVerdictsTest, ShowsWhatPeopleKnowAMessageBy) {
  RecentVerdicts recent(10, 0);
  recent.Add(
      "spamd", "example.org",
      "Received: x\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n folded\r\nFROM: Eve <eve@example.org>\r\n"
      "Subject: another\r\n\r\nFrom: nobody\r\n",
      JudgedAs(Verdict::kUnsure, "d", "alice"), 1500000);
  const auto message = recent.After(0).at("messages").at(0);
  EXPECT_EQ(message.at("subject"), "Grüße folded");
  EXPECT_EQ(message.at("from"), "Eve <eve@example.org>");
  EXPECT_EQ(message.at("model"), "example.org");
  EXPECT_EQ(message.at("user"), "alice");
  EXPECT_EQ(message.at("id"), "id@example.org");
  EXPECT_EQ(message.at("key"), "d");
  EXPECT_EQ(message.at("time"), 1.5);
  EXPECT_EQ(message.at("verdict"), "Unsure");
  EXPECT_EQ(message.at("probability"), 0.75);
  EXPECT_EQ(message.at("listed"), "");
  EXPECT_TRUE(message.at("taught").is_null());
}

TEST(RecentVerdictsTest, AModelHasItsName) {
  RecentVerdicts recent(10, 0);
  const std::string name = "=?utf-8?q?a?=";
  recent.Add("http", name, "\n", JudgedAs(Verdict::kHam, "d"), 0);
  EXPECT_EQ(recent.After(0).at("messages").at(0).at("model"), name);
}

TEST(RecentVerdictsTest, SaysThatAListDecided) {
  RecentVerdicts recent(10, 0);
  Judged judged = JudgedAs(Verdict::kSpam, "d");
  judged.listed = "block:domain";
  recent.Add("http", "default", "\n", judged, 0);
  EXPECT_EQ(recent.After(0).at("messages").at(0).at("listed"), "block:domain");
}

TEST(RecentVerdictsTest, TellsWhatChanged) {
  RecentVerdicts recent(10, 1500000);
  for (const char* digest : {"a", "b", "c"})
    recent.Add("http", "default", "\n", JudgedAs(Verdict::kHam, digest), 0);
  const auto all = recent.After(0);
  EXPECT_EQ(all.at("messages").at(0).at("key"), "c");
  EXPECT_EQ(all.at("since"), 1.5);
  const uint64_t last = all.at("last");
  EXPECT_TRUE(recent.After(last).at("messages").empty());
  recent.Tell(JudgedAs(Verdict::kHam, "a").key, Label::kSpam);
  recent.Tell(JudgedAs(Verdict::kHam, "unknown").key, Label::kSpam);
  const auto changed = recent.After(last);
  ASSERT_EQ(changed.at("messages").size(), 1U);
  EXPECT_EQ(changed.at("messages").at(0).at("key"), "a");
  EXPECT_EQ(changed.at("messages").at(0).at("taught"), "spam");
}

TEST(RecentVerdictsTest, TellsTheUsersOfOneMailApart) {
  RecentVerdicts recent(10, 0);
  for (const char* user : {"alice", "bob"})
    recent.Add("http", "default", "\n", JudgedAs(Verdict::kHam, "same", user), 0);
  recent.Tell(JudgedAs(Verdict::kHam, "same", "alice").key, Label::kSpam);
  const auto messages = recent.After(0).at("messages");
  EXPECT_EQ(messages.at(1).at("taught"), "spam");
  EXPECT_TRUE(messages.at(0).at("taught").is_null());
}

TEST(RecentVerdictsTest, WhatIsForgottenIsNotTaught) {
  RecentVerdicts recent(10, 0);
  for (const char* digest : {"a", "b", "c"})
    recent.Add("http", "default", "\n", JudgedAs(Verdict::kHam, digest), 0);
  for (const char* digest : {"a", "b"}) recent.Tell(JudgedAs(Verdict::kHam, digest).key, Label::kSpam);
  const uint64_t last = recent.After(0).at("last");
  recent.Forget(std::vector{JudgedAs(Verdict::kHam, "a").key, JudgedAs(Verdict::kHam, "c").key});
  const auto changed = recent.After(last).at("messages");
  ASSERT_EQ(changed.size(), 1U);  // nothing was known of the other one
  EXPECT_EQ(changed.at(0).at("key"), "a");
  EXPECT_TRUE(changed.at(0).at("taught").is_null());
}

TEST(RecentVerdictsTest, IsBounded) {
  RecentVerdicts recent(3, 0);
  const std::string long_header(100000, 'x');
  for (int i = 0; i < 10; ++i)
    recent.Add("http", "default", "Subject: " + long_header + "\n\n",
               JudgedAs(Verdict::kHam, std::to_string(i)), 0);
  const auto messages = recent.After(0).at("messages");
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages.at(0).at("key"), "9");
  EXPECT_LE(messages.at(0).at("subject").get<std::string>().size(), RecentVerdicts::kMostHeaderBytes);
  RecentVerdicts none(0, 0);
  none.Add("http", "default", "\n", JudgedAs(Verdict::kHam, "a"), 0);
  EXPECT_TRUE(none.After(0).at("messages").empty());
}

}  // namespace
}  // namespace thresher::pipeline
