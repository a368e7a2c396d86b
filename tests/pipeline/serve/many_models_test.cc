// The daemon with a model for each domain, as its clients see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ManyModelsTest : public ServeTest {
 protected:
  RunningThresher StartWithMany() const {
    return Start({"--http", http_, "--models", "domain", "--set", "serve.open_models=1", "--set",
                  "serve.open_seconds=600"});
  }
  std::string TellFor(const std::string& user, const std::string& message) const {
    return Client(spamd_).Ask(
        SpamdRequest("TELL", message, "User: " + user + "\r\nMessage-class: ham\r\nSet: local\r\n"));
  }
  std::string Get(const std::string& path) const {
    return Client(http_).Ask("GET " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n");
  }
  static nlohmann::json Counted(const std::string& answer) {
    return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  }

  std::string http_ = directory_ / "http";
};

TEST_F(ManyModelsTest, WhatIsAcknowledgedSurvivesAKillAndCommandsAskTheDaemon) {
  {
    RunningThresher daemon = StartWithMany();
    for (int i = 0; i < 12; ++i) {
      const std::string user = "joe@" + std::to_string(i % 3) + ".org";
      EXPECT_THAT(TellFor(user, HamMessage(i)), HasSubstr("DidSet")) << i;
    }
    daemon.Kill();
  }
  RunningThresher daemon = StartWithMany();
  for (int i = 0; i < 12; ++i) {
    const std::string user = "joe@" + std::to_string(i % 3) + ".org";
    EXPECT_THAT(TellFor(user, HamMessage(i)), Not(HasSubstr("DidSet"))) << i;
  }
  const Ran learned = RunThresher({"learn", "--store", store_, "--model", "1.org", "--ham",
                                   directory_.Write("message", HamMessage(100))});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_EQ(Counted(Get("/counts?model=1.org")).at("ham"), 5);
  const Ran elsewhere = RunThresher({"learn", "--store", store_, "--user", "joe@1.org", "--ham",
                                     directory_.Write("message", HamMessage(101))});
  EXPECT_EQ(elsewhere.exit_code, kData);
  EXPECT_THAT(elsewhere.err, HasSubstr("that of joe@1.org is 1.org, not default"));
  EXPECT_EQ(Counted(Get("/counts?user=joe@2.org")).at("ham"), 4);
  EXPECT_THAT(Get("/metrics"), HasSubstr("thresher_models{state=\"open\"}"));
  EXPECT_THAT(Get("/counts?model=..%2Fx"), HasSubstr("HTTP/1.1 400"));
  const Ran stopped = Stop(daemon);
  EXPECT_EQ(stopped.exit_code, 0);
  EXPECT_THAT(stopped.err, HasSubstr("event=closed model=" + store_ + "/"));
  for (const std::string& file : {store_ + "/.socket", spamd_, http_})
    EXPECT_FALSE(std::filesystem::exists(file)) << file;
  // The checkpoints were made: readers see all.
  const auto stats =
      nlohmann::json::parse(RunThresher({"stats", "--json", "--store", store_, "--model", "1.org"}).out);
  EXPECT_EQ(stats.at("applied_seq"), 5);
}

TEST_F(ManyModelsTest, WhoOnlyAsksMakesNoModel) {
  RunningThresher daemon = StartWithMany();
  const auto status = [](const std::string& answer) { return answer.substr(9, 3); };
  const auto post = [&](const std::string& path, const std::string& body) {
    return Client(http_).Ask("POST " + path + " HTTP/1.1\r\nConnection: close\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  for (const char* const path : {"/counts", "/stats", "/vocab", "/weights?ids=1&x=", "/taught?id=a&x="}) {
    const std::string asked =
        path + std::string(std::string(path).find('?') == std::string::npos ? "?" : "&");
    EXPECT_EQ(status(Get(asked + "model=typo.org")), "404") << path;
  }
  EXPECT_EQ(status(post("/feedback?model=typo.org", R"({"label":"spam","id":"a@b"})")), "404");
  for (const char* const path : {"/forget", "/foresee?label=ham&x=", "/explain"}) {
    const std::string asked =
        path + std::string(std::string(path).find('?') == std::string::npos ? "?" : "&");
    EXPECT_EQ(status(post(asked + "user=a@typo.org", HamMessage(1))), "404") << path;
  }
  EXPECT_FALSE(std::filesystem::exists(store_ + "/typo.org"));
  EXPECT_EQ(status(post("/learn?label=ham&user=a@b.org", HamMessage(1))), "200");
  EXPECT_EQ(Counted(Get("/counts?model=b.org")).at("ham"), 1);
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

// The daemon would make it by its own settings, and the command would say nothing of it.
TEST_F(ManyModelsTest, ACommandCannotChooseHowTheDaemonMakesAModel) {
  RunningThresher daemon = StartWithMany();
  const std::string message = directory_.Write("message", HamMessage(1));
  const auto learn = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"learn", "--store", store_, "--model", "new.org", "--ham", message});
    return RunThresher(more);
  };
  for (const char* const set : {"learner.name=ftrl", "log.holds=message", "features.headers=no"}) {
    const Ran refused = learn({"--set", set});
    EXPECT_EQ(refused.exit_code, kConfig) << set << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("by its own settings"));
  }
  EXPECT_FALSE(std::filesystem::exists(store_ + "/new.org"));
  EXPECT_EQ(learn({"--set", "thresholds.spam=0.99"}).exit_code, 0);
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline
