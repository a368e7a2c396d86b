// The daemon as a process: it starts, is told to stop, is killed.
#include "tests/pipeline/serve/daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/rounds.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class DaemonTest : public ServeTest {
 protected:
  nlohmann::json Stats() const {
    return nlohmann::json::parse(RunThresher({"stats", "--json", "--store", store_}).out);
  }
};

TEST_F(DaemonTest, LearnsJudgesAndStops) {
  RunningThresher daemon = Start();
  for (int i = 0; i < 45; ++i) {
    EXPECT_THAT(Tell(MessageNumber(i), i % 3 == 0), HasSubstr("DidSet: local\r\n")) << i;
  }
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", SpamMessage(700))), HasSubstr("Spam: True"));
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(700))), HasSubstr("Spam: False"));
  Client(spamd_).Ask(SpamMessage(700));  // no request
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(spamd_));
  // The checkpoint was made: readers see all.
  EXPECT_EQ(Stats().at("applied_seq"), 45);
  // The log has keys and no mail.
  EXPECT_THAT(ran.err,
              testing::ContainsRegex("event=learn protocol=spamd key=[0-9a-f]+ label=spam result=new"));
  EXPECT_THAT(ran.err, HasSubstr("event=classify protocol=spamd key="));
  EXPECT_THAT(ran.err, HasSubstr("event=refused protocol=spamd client=\"user "));
  EXPECT_THAT(ran.err, Not(HasSubstr("pills")));
}

TEST_F(DaemonTest, SaysThatItIsRoot) {
  RunningThresher daemon = Start();
  const bool is_said = Stop(daemon).err.find("event=warning why=root\n") != std::string::npos;
  EXPECT_EQ(is_said, ::geteuid() == 0);
}

// From the first line of its log on.
TEST_F(DaemonTest, HearsSignalsWhileItOpensItsModel) {
  RunningThresher first = Start();
  ASSERT_EQ(Stop(first).exit_code, 0);
  for (const int signal : {SIGHUP, SIGTERM}) {
    RunningThresher daemon({"serve", "--store", store_, "--spamd", spamd_});
    while (daemon.Complaints().find("event=listen") == std::string::npos) std::this_thread::yield();
    ::kill(daemon.pid(), signal);
    if (signal == SIGHUP) {
      while (daemon.Complaints().find("event=reload") == std::string::npos) std::this_thread::yield();
      EXPECT_EQ(Stop(daemon).exit_code, 0);
    } else {
      const Ran ran = daemon.Finish();
      EXPECT_EQ(ran.exit_code, 0);
      EXPECT_THAT(ran.err, AllOf(HasSubstr("event=stop\n"), HasSubstr("event=stopped")));
    }
    EXPECT_FALSE(std::filesystem::exists(spamd_));
  }
}

TEST_F(DaemonTest, AcknowledgedFeedbackSurvivesAKill) {
  std::atomic<int> acknowledged = 0;
  int sent = 0;
  for (int round = 0; round < Rounds(5); ++round) {
    RunningThresher daemon = Start();
    std::thread kills([&, round] {
      // A slow disk may have acknowledged nothing in the rounds before.
      for (int i = 0; round > 3 && acknowledged == 0 && i < 3000; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::this_thread::sleep_for(std::chrono::milliseconds(30 + 40 * round));
      daemon.Kill();
    });
    while (true) {
      const std::string answer = Tell(MessageNumber(sent), sent % 3 == 0);
      if (answer.find("DidSet") == std::string::npos) break;
      ++acknowledged;
      ++sent;
    }
    ++sent;  // the last one may have been taught
    kills.join();
    EXPECT_EQ(daemon.Finish().exit_code, 128 + SIGKILL);
  }
  EXPECT_GT(acknowledged, 0);
  RunningThresher daemon = Start();
  Stop(daemon);
  const int taught = Stats().at("last_seq");
  EXPECT_GE(taught, acknowledged);
  EXPECT_LE(taught, sent);
  const Ran check = RunThresher({"check", "--store", store_});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
}

// The same commands with and without a daemon leave the same model.
TEST_F(DaemonTest, LearnFeedbackAndForgetAskTheDaemon) {
  for (int i = 0; i < 40; ++i)
    directory_.Write((i % 3 == 0 ? "spam/" : "ham/") + std::to_string(100 + i), MessageNumber(i));
  const std::string twin = directory_ / "twin";
  const std::vector<std::vector<std::string>> commands = {
      {"learn", "--spam", directory_ / "spam", "--user", "bob"},
      {"learn", "--ham", directory_ / "ham", "--user", "bob"},
      {"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham", "--stream"},
      {"feedback", "--ham", "--id", "<spam3@pills.example>"},
      {"feedback", "--ham", "--id", "nobody@example.org"},
      {"feedback", "--list", directory_.Write("list", "spam ham1@example.org\nham spam0@pills.example\nx\n")},
      {"forget", directory_ / "spam/100", directory_ / "spam/103",
       directory_.Write("never", SpamMessage(999))},
      {"forget", "--id", "<ham2@example.org>"},
      {"forget", "--id", "<ham2@example.org>"},
      {"forget", "--list",
       directory_.Write("gone", "ham4@example.org\nnobody@example.org\n<ham5@example.org>\n")},
      {"forget", "--all", "--user", "bob"},
      {"forget", "--all", "--user", "bob"},
      {"learn", "--ham", directory_ / "ham/102"},
  };
  RunningThresher daemon = Start();
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--store", twin});
    const Ran alone = RunThresher(words);
    words.back() = store_;
    const Ran asked = RunThresher(words);
    EXPECT_EQ(asked.exit_code, alone.exit_code) << words[0];
    EXPECT_EQ(asked.out, alone.out);
    EXPECT_EQ(asked.err, alone.err);
  }
  const Ran refused =
      RunThresher({"learn", "--spam", directory_ / "spam", "--store", store_, "--learner", "eg"});
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_EQ(Stop(daemon).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(store_ + "/default.socket"));
  const auto vocabulary = [](const std::string& store) {
    auto json = nlohmann::json::parse(RunThresher({"vocab", "--json", "--top", "0", "--store", store}).out);
    std::map<std::string, nlohmann::json> tokens;
    for (auto& token : json.at("tokens")) {
      token.erase("id");
      tokens[token.at("token")] = token;
    }
    return tokens;
  };
  EXPECT_GT(vocabulary(twin).size(), 10U);
  EXPECT_EQ(vocabulary(store_), vocabulary(twin));
}

TEST_F(DaemonTest, TeachesWhatFilterIsSureOf) {
  const std::string ham = directory_.Write("ham", Mailbox(20, HamMessage));
  const std::string spam = directory_.Write("spam", Mailbox(20, SpamMessage));
  RunningThresher daemon = Start();
  ASSERT_EQ(RunThresher({"learn", "--spam", spam, "--ham", ham, "--store", store_}).exit_code, 0);
  for (int round = 0; round < 2; ++round) {  // the second time it is known
    const Ran ran = RunThresher({"filter", "--learn", "0.6", "--store", store_}, SpamMessage(100));
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out, testing::EndsWith(SpamMessage(100)));
  }
  const Ran feedback =
      RunThresher({"feedback", "--ham", "--id", "<spam100@pills.example>", "--store", store_});
  EXPECT_THAT(feedback.out, HasSubstr("corrected"));
  EXPECT_EQ(Stop(daemon).exit_code, 0);
  const std::string exported = RunThresher({"export", "--store", store_}).out;
  const size_t self_taught = exported.find("\"evidence\":4");
  ASSERT_NE(self_taught, std::string::npos);
  EXPECT_EQ(exported.find("\"evidence\":4", self_taught + 1), std::string::npos);
}

// As without one.
TEST_F(DaemonTest, LearnAsksBeforeABurstOfWrongLabelsIsTaught) {
  for (int i = 0; i < 400; ++i)
    directory_.Write((i < 200 ? "spam/" : "ham/") + std::to_string(i),
                     i < 200 ? SpamMessage(i) : HamMessage(i));
  for (int i = 400; i < 460; ++i) {
    directory_.Write("burst/" + std::to_string(i), HamMessage(i));
  }
  const std::string burst = directory_ / "burst";
  const std::vector<std::vector<std::string>> commands = {
      {"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham"},
      {"learn", "--spam", burst},  // asks
      {"learn", "--spam", burst, "--force"},
      {"learn", "--ham", burst},
  };
  const std::string twin = directory_ / "twin";
  RunningThresher daemon = Start();
  std::vector<Ran> all;
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--store", twin});
    const Ran alone = RunThresher(words);
    words.back() = store_;
    all.push_back(RunThresher(words));
    EXPECT_EQ(all.back().exit_code, alone.exit_code) << words[0];
    EXPECT_EQ(all.back().err, alone.err);
    EXPECT_EQ(all.back().out, alone.out);
  }
  EXPECT_EQ(Stop(daemon).exit_code, 0);
  EXPECT_EQ(all[1].exit_code, kData);
  EXPECT_THAT(all[1].err, HasSubstr("`thresher learn --force`"));
  EXPECT_THAT(all[2].out,
              AllOf(HasSubstr("57 learned"), HasSubstr("of the last 57 examples: if their labels")));
  EXPECT_THAT(all[3].out, HasSubstr("60 corrected"));
}

// JSON has no place for such bytes: they are escaped on the way.
TEST_F(DaemonTest, KnowsMessageIdsThatAreNoText) {
  RunningThresher daemon = Start();
  const std::string message =
      directory_.Write("message", "Message-ID: <caf\xe9\\x41\x1b@x>\nSubject: a\n\nwords\n");
  const std::string list = directory_.Write("list", "<caf\\xe9\\x5cx41\\x1b@x>\n");
  const std::string replies = directory_.Write("replies", "ham <caf\\xe9\\x5cx41\\x1b@x>\n");
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_, message}).exit_code, 0);
  const Ran corrected = RunThresher({"feedback", "--store", store_, "--list", replies});
  EXPECT_EQ(corrected.exit_code, 0) << corrected.err;
  EXPECT_THAT(corrected.out, HasSubstr("1 corrected"));
  const Ran forgotten = RunThresher({"forget", "--store", store_, "--list", list});
  EXPECT_THAT(forgotten.out, HasSubstr("1 message forgotten")) << forgotten.err;
}

// A mistyped path: the daemon says so, refuses mail, and goes on when the store is there.
TEST_F(DaemonTest, AMissingStoreIsSaidAndAwaited) {
  std::filesystem::remove(store_);
  RunningThresher daemon({"serve", "--store", store_, "--spamd", spamd_});
  std::string answer;
  while (answer.empty()) answer = Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1)));
  EXPECT_THAT(answer, testing::StartsWith("SPAMD/1.0 75 EX_TEMPFAIL"));
  EXPECT_THAT(answer, HasSubstr("there is no such store"));
  EXPECT_FALSE(std::filesystem::exists(store_));
  std::filesystem::create_directory(store_);
  while (!IsReady(spamd_)) std::this_thread::yield();
  // Commands find it there.
  while (!Client(store_ + "/default.socket").is_connected()) std::this_thread::yield();
  const Ran learned =
      RunThresher({"learn", "--ham", directory_.Write("ham", HamMessage(1)), "--store", store_});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err,
              testing::ContainsRegex("event=not-ready model=[^ ]* error=\"[^ ]*store: there is no such"));
  EXPECT_FALSE(std::filesystem::exists(store_ + "/default.socket"));
}

TEST_F(DaemonTest, AStoreThatIsRemovedIsNotMadeAnew) {
  RunningThresher daemon = Start({"--http", directory_ / "http"});
  std::error_code changing;  // by the daemon
  while (std::filesystem::exists(store_)) std::filesystem::remove_all(store_, changing);
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: "));
  EXPECT_THAT(Client(directory_ / "http").Ask("GET /ready HTTP/1.0\r\n\r\n"), HasSubstr(" 503 "));
  Stop(daemon);  // what waits for the spool is written before
  EXPECT_FALSE(std::filesystem::exists(store_));
}

TEST_F(DaemonTest, ReloadsWhenAClientAsks) {
  TeachThatAllIsSpam();
  const std::string config = directory_.Write("config.yaml", "thresholds:\n  spam: 0.5\n");
  RunningThresher daemon = Start({"--config", config});
  const auto reload = [this] {
    return Client(store_ + "/default.socket")
        .Ask("POST /reload HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  };
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: True"));
  directory_.Write("config.yaml", "thresholds:\n  spam: 0.9\n");
  EXPECT_THAT(reload(), HasSubstr("\"result\":\"reloaded\""));
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: False"));
  directory_.Write("config.yaml", "thresholds:\n  spam: many\n");
  EXPECT_THAT(reload(), HasSubstr("config.yaml"));
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: False"));
}

// A process of its own looks for them. That it fails shows what it has read.
TEST_F(DaemonTest, LooksForDoubtsWithItsOwnSettings) {
  const std::string config = directory_.Write("config.yaml", "thresholds:\n  spam: 0.97\n");
  RunningThresher daemon = Start({"--config", config, "--user", "alice", "--set", "thresholds.ham=0.96"});
  const auto why_it_fails = [this] {
    const std::string rest = " /doubt HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    Client(store_ + "/default.socket").Ask("POST" + rest);
    nlohmann::json state;
    do {
      const std::string answer = Client(store_ + "/default.socket").Ask("GET" + rest);
      state = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n")));
    } while (state.at("running"));
    return state.at("error").get<std::string>();
  };
  EXPECT_THAT(why_it_fails(), HasSubstr("can be doubted"));
  directory_.Write("config.yaml", "thresholds:\n  spam: 0.95\n");
  EXPECT_THAT(why_it_fails(), HasSubstr("thresholds.ham"));
  directory_.Write("config.yaml", "nonsense\n");
  EXPECT_THAT(why_it_fails(), HasSubstr("config.yaml"));
}

TEST_F(DaemonTest, ReloadsItsConfiguration) {
  TeachThatAllIsSpam();
  const std::string config = directory_.Write("config.yaml", "thresholds:\n  spam: 0.97\n");
  RunningThresher daemon = Start({"--config", config});
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: False"));
  directory_.Write("config.yaml", "thresholds:\n  spam: 0.5\n");
  ::kill(daemon.pid(), SIGHUP);
  while (Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))).find("Spam: True") == std::string::npos)
    std::this_thread::yield();
  directory_.Write("config.yaml", "nonsense\n");
  ::kill(daemon.pid(), SIGHUP);
  while (daemon.Complaints().find("event=reload error=") == std::string::npos) std::this_thread::yield();
  EXPECT_THAT(Client(spamd_).Ask(SpamdRequest("CHECK", HamMessage(1))), HasSubstr("Spam: True"));
}

TEST_F(DaemonTest, TeachingOverTcpMustBeAllowed) {
  const auto tell = [this](const std::vector<std::string>& flags) {
    int port = 0;
    const RunningThresher daemon = StartOverTcp("--spamd", flags, &port);
    Client client(port);
    return client.Ask(SpamdRequest("TELL", SpamMessage(1), "Message-class: spam\r\nSet: local\r\n"));
  };
  EXPECT_THAT(tell({}), HasSubstr("69 EX_UNAVAILABLE"));
  EXPECT_THAT(tell({"--set", "serve.tell_over_tcp=true"}), HasSubstr("DidSet: local"));
}

}  // namespace
}  // namespace thresher::pipeline
