// What the log says of requests that are refused: who asked and why, and nothing of what was sent.
#include "pipeline/serve/watched_session.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipeline/serve/metrics.h"
#include "pipeline/serve/milter_session.h"
#include "pipeline/serve/spamd_session.h"
#include "pipeline/wall_clock.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/serve/milter_client.h"
#include "tests/pipeline/serve/toy_service.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class WatchedSessionTest : public testing::Test {
 protected:
  ~WatchedSessionTest() override { ::close(fd_); }

  std::string Log() const { return ReadBytes(directory_ / "log"); }
  std::unique_ptr<Session> Spamd(bool may_teach = true, bool may_change_now = true) {
    return std::make_unique<SpamdSession>(
        service_, SpamdSession::Rules{.may_teach = may_teach,
                                      .message_bytes = 100,
                                      .may_change_now = [may_change_now] { return may_change_now; }});
  }
  void Ask(std::unique_ptr<Session> asked, const std::string& request, const std::string& client) {
    WatchedSession session(std::move(asked), service_, {.name = client});
    session.Take(request);
    if (!session.HasRequest()) session.TakeEnd();
    int answers = 0;
    session.Respond([&](const Response&) { ++answers; });
    EXPECT_EQ(answers, 1);
  }

  TestDirectory directory_;
  int fd_ = ::open((directory_ / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  ToyService toy_;
  EventLog log_{fd_, "errors"};
  RecentVerdicts recent_{10, 0};
  History history_{0};
  WatchedService service_{"toy", toy_, log_, recent_, history_};
};

TEST_F(WatchedSessionTest, TheLogSaysWhoIsRefusedAndWhy) {
  const std::string tell =
      "TELL SPAMC/1.5\r\nMessage-class: spam\r\nSet: local\r\nContent-length: 5\r\n\r\npills";
  Ask(Spamd(), "Subject: pills\r\n\r\n", "192.0.2.7");
  Ask(Spamd(), "CHECK SPAMC/1.5\r\nContent-length: 101\r\n\r\n", "user 7");
  Ask(Spamd(/*may_teach=*/false), tell, "192.0.2.8");
  Ask(Spamd(/*may_teach=*/true, /*may_change_now=*/false), tell, "192.0.2.9");
  EXPECT_THAT(Log(), HasSubstr("event=refused protocol=toy client=192.0.2.7 why=malformed\n"));
  EXPECT_THAT(Log(), HasSubstr("event=refused protocol=toy client=\"user 7\" why=too-large\n"));
  EXPECT_THAT(Log(), HasSubstr("event=refused protocol=toy client=192.0.2.8 why=not-allowed\n"));
  EXPECT_THAT(Log(), HasSubstr("event=refused protocol=toy client=192.0.2.9 why=too-fast\n"));
  EXPECT_THAT(Log(), Not(HasSubstr("pills")));
  EXPECT_EQ(service_.counters().failed.load(), 4U);
  const std::string before = Log();
  Ask(Spamd(), tell, "192.0.2.7");
  EXPECT_EQ(Log(), before);  // nothing was refused, and "errors" has no line of what was taught
}

TEST_F(WatchedSessionTest, TheLogNamesWhatWasForgotten) {
  log_.SetLevel("changes");
  service_.Forget("m", {}, [](const auto&) {});
  EXPECT_THAT(Log(), HasSubstr("event=forget protocol=toy key=0123456789abcdef result=forgotten\n"));
  std::vector<tokenizer::MessageKey> keys = {{"a@b", "k"}, {"", std::string(1000, 'l')}};
  service_.ForgetThese(keys, {"bob"}, [](const auto&) {});
  EXPECT_THAT(Log(), HasSubstr("user=bob keys=k," + std::string(32, 'l') + " messages=2\n"));
  keys.resize(100000, {"", std::string(32, 'm')});
  const size_t before = Log().size();
  service_.ForgetThese(keys, {}, [](const auto&) {});
  EXPECT_LT(Log().size() - before, 4000U);
}

TEST_F(WatchedSessionTest, WhatUsersSayOfOneMailIsKeptApart) {
  for (const char* user : {"alice", "bob", "carol"}) ASSERT_TRUE(service_.Classify("m", {user}));
  const auto taught = [this] {
    std::map<std::string, nlohmann::json> by_user;
    const auto messages = recent_.After(0).at("messages");
    for (const auto& seen : messages) by_user[seen.at("user")] = seen.at("taught");
    return by_user;
  };
  service_.Learn("m", {"alice"}, {.label = Label::kSpam}, [](const auto&) {});
  EXPECT_EQ(taught(), (std::map<std::string, nlohmann::json>{{"alice", "spam"}, {"bob", {}}, {"carol", {}}}));
  for (const char* user : {"bob", "carol"})
    service_.Feedback({Label::kSpam, "id@example.org", ""}, {user}, [](const auto&) {});
  EXPECT_EQ(taught()["carol"], "spam");
  const auto steps = history_.Json(UnixSeconds()).at("steps");
  uint64_t missed = 0;
  for (const auto& step : steps) missed += step.at("missed_spam").get<uint64_t>();
  EXPECT_EQ(missed, 3U);
  service_.Forget("m", {"alice"}, [](const auto&) {});
  service_.ForgetAllOf({"bob"}, [](const auto&) {});
  EXPECT_EQ(taught(), (std::map<std::string, nlohmann::json>{{"alice", {}}, {"bob", {}}, {"carol", "spam"}}));
  service_.ForgetThese({{"id@example.org", "k"}}, {"carol"}, [](const auto&) {});
  EXPECT_TRUE(taught()["carol"].is_null());
}

TEST_F(WatchedSessionTest, AMilterIsRefusedIfItDoesNotKeepToTheProtocol) {
  const auto milter = [this] {
    return std::make_unique<MilterSession>(service_, [] {
      return std::make_shared<const MilterSession::Rules>(MilterSession::Rules{.message_bytes = 100});
    });
  };
  Ask(milter(), MilterPacket(kMilterQuit), "192.0.2.7");
  EXPECT_EQ(Log(), "");
  Ask(milter(), "GET / HTTP/1.1\r\n", "192.0.2.7");
  EXPECT_THAT(Log(), HasSubstr("client=192.0.2.7 why=malformed\n"));
}

TEST_F(WatchedSessionTest, WhatTheConnectionRefusesIsLoggedAsWell) {
  WatchedSession session(Spamd(), service_, {.name = "192.0.2.7"});
  EXPECT_THAT(session.Refusal(Trouble::kTooSlow), HasSubstr("EX_TIMEOUT"));
  EXPECT_THAT(Log(), HasSubstr("client=192.0.2.7 why=too-slow\n"));
}

TEST_F(WatchedSessionTest, NobodyCanFillTheDisk) {
  for (int i = 0; i < 1000; ++i) Ask(Spamd(), "x\r\n", "192.0.2.7");
  const std::string log = Log();
  // Another minute may begin meanwhile.
  EXPECT_GE(std::count(log.begin(), log.end(), '\n'), 60);
  EXPECT_LE(std::count(log.begin(), log.end(), '\n'), 2 * 60);
  EXPECT_EQ(service_.counters().failed.load(), 1000U);
}

// Nor with names that are none, which the model's service refuses.
TEST_F(WatchedSessionTest, NobodyCanFillTheDiskWithNames) {
  toy_.ready = tl::unexpected(Error{kData, "that is no name"});
  const std::string name(1000, 'u');
  for (int i = 0; i < 1000; ++i)
    Ask(Spamd(), "CHECK SPAMC/1.5\r\nUser: " + name + "\r\nContent-length: 0\r\n\r\n", "192.0.2.7");
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("event=classify protocol=toy user=" + name.substr(0, 128) + " error="));
  EXPECT_GE(std::count(log.begin(), log.end(), '\n'), 60);
  EXPECT_LE(std::count(log.begin(), log.end(), '\n'), 2 * 60);
  EXPECT_EQ(service_.counters().failed.load(), 1000U);
}

// Nor hide what follows them by their length.
TEST_F(WatchedSessionTest, AnErrorIsCut) {
  toy_.ready = tl::unexpected(Error{kData, "no name: " + std::string(5000, 'u')});
  ASSERT_FALSE(service_.Classify("m", {}));
  EXPECT_THAT(Log(), testing::EndsWith("uuu\"\n"));
  EXPECT_LT(Log().size(), 700U);
}

// Of a sum of seconds that is rounded, the difference between two moments says nothing after some days.
TEST_F(WatchedSessionTest, TheTimeToJudgeIsSaidInMicroseconds) {
  ASSERT_TRUE(service_.Classify("m", {}));
  EXPECT_THAT(MetricsText({.protocols = {&service_}, .log = {}}),
              testing::ContainsRegex("thresher_classify_seconds_sum.protocol=.toy.. [0-9]+[.][0-9]{6}\n"));
}

}  // namespace
}  // namespace thresher::pipeline
