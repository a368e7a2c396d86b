// Connections and their limits, with a protocol of lines: each line is answered by itself.
#include "pipeline/serve/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/pipeline/program.h"
#include "tests/pipeline/serve/client.h"

namespace thresher::pipeline {
namespace {

using std::chrono::milliseconds;
using ::testing::StartsWith;

// "quit" closes; "later" is answered by another thread when Gate opens. "#" is not answered, nor is "more",
// which calls Meets. "patient" makes the session so. "meet" occupies its thread until Meets returns.
class LineSession final : public Session {
 public:
  using Gate = std::function<void(std::function<void()>)>;
  using Meets = std::function<void()>;
  LineSession(const Gate& gate, const Meets& meets) : gate_(&gate), meets_(&meets) {}

  size_t Take(std::string_view bytes) override {
    const size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    is_whole_ = end != std::string_view::npos;
    if (is_whole_ && (line_ == "#" || line_ == "more")) {
      if (line_ == "more") (*meets_)();
      is_whole_ = false;
      line_.clear();
      return end + 1 + Take(bytes.substr(end + 1));
    }
    is_patient_ |= is_whole_ && line_ == "patient";
    return is_whole_ ? end + 1 : bytes.size();
  }
  bool IsAtRest() const override { return line_.empty(); }
  bool IsPatient() const override { return is_patient_; }
  void TakeEnd() override {}
  bool HasRequest() const override { return is_whole_; }
  void Respond(std::function<void(Response)> done) override {
    is_whole_ = false;
    const std::string line = std::exchange(line_, {});
    const auto respond = [line, done = std::move(done)] { done({line + "\n", line == "quit"}); };
    if (line == "meet") (*meets_)();
    if (line != "later") return respond();
    (*gate_)(respond);
  }
  std::string Refusal(Trouble trouble) override {
    return "refused " + std::to_string(static_cast<int>(trouble)) + "\n";
  }

 private:
  const Gate* gate_;
  const Meets* meets_;
  std::string line_;
  bool is_whole_ = false;
  bool is_patient_ = false;
};

class ServerTest : public testing::Test {
 protected:
  // before_it_runs: when it listens already.
  void Start(
      const std::function<void(ConnectionLimits&)>& change = [](ConnectionLimits&) {},
      const std::function<void()>& before_it_runs = [] {}) {
    ConnectionLimits limits{.connections = 2000,
                            .request_bytes = 100000,
                            .held_bytes = 1000000,
                            .request = std::chrono::seconds(20),
                            .idle = std::chrono::seconds(20),
                            .patience = std::chrono::seconds(20)};
    change(limits);
    server_ = std::make_unique<Server>(limits, Server::Hooks{.on_stop = [this] { is_told_to_stop_ = true; },
                                                             .on_reload = [] {},
                                                             .on_beat = [this] { ++beats_; },
                                                             .beat = milliseconds(100)});
    auto socket = ListenAt(path_, {});
    ASSERT_TRUE(socket) << socket.error().message;
    server_->Listen(*std::move(socket),
                    [this](const Peer&) { return std::make_unique<LineSession>(gate_, meets_); });
    before_it_runs();
    running_ = std::thread([this] { server_->Run(threads_); });
  }
  // What a client gets that sends a line of so many bytes.
  std::string AnswerTo(size_t bytes) const {
    Client client(path_);
    std::thread sends([&] { client.Send(std::string(bytes, 'x') + "\n"); });
    std::string answer = client.Receive(bytes + 1);
    sends.join();
    return answer;
  }
  // The server's threads may not have come to it yet.
  static bool IsSoon(const std::function<bool()>& is_so) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < give_up) {
      if (is_so()) return true;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
  }
  void Stop() {
    if (!running_.joinable()) return;
    server_->Stop();
    running_.join();
  }
  ~ServerTest() override {
    Stop();
    if (opens_.joinable()) opens_.join();
  }

  TestDirectory directory_;
  std::string path_ = directory_ / "socket";
  std::thread opens_;
  LineSession::Gate gate_ = [this](std::function<void()> respond) {
    opens_ = std::thread([this, respond = std::move(respond)] {
      while (!is_open_) std::this_thread::yield();
      respond();
    });
    is_asked_ = true;
  };
  LineSession::Meets meets_ = [] {};
  std::atomic<bool> is_open_ = false;
  std::atomic<bool> is_asked_ = false;
  std::atomic<bool> is_told_to_stop_ = false;
  std::atomic<int> beats_ = 0;
  size_t threads_ = 2;
  std::unique_ptr<Server> server_;
  std::thread running_;
};

TEST_F(ServerTest, AnswersInTurnHoweverBytesCome) {
  Start();
  Client client(path_);
  for (const char c : std::string("one\n")) client.Send({&c, 1});
  EXPECT_EQ(client.Receive(4), "one\n");
  EXPECT_EQ(client.Ask("two\nthree\nquit\nunread\n"), "two\nthree\nquit\n");
}

TEST_F(ServerTest, ARequestWithoutItsEndIsNoRequest) {
  Start();
  Client client(path_);
  client.Send("one\nhalf");
  client.SendEnd();
  EXPECT_EQ(client.Receive(), "one\n");
}

TEST_F(ServerTest, OthersAreServedWhileOneWaits) {
  Start();
  Client waits(path_);
  waits.Send("later\nand\nquit\n");
  Client other(path_);
  EXPECT_EQ(other.Ask("quit\n"), "quit\n");
  is_open_ = true;
  EXPECT_EQ(waits.Receive(), "later\nand\nquit\n");
}

// Whoever accepts does not answer meanwhile, also where the requests are there already.
TEST_F(ServerTest, ClientsThatCameTogetherAreServedBesideEachOther) {
  std::latch both(2);
  std::atomic<bool> have_met = true;
  meets_ = [&] {
    both.count_down();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!both.try_wait() && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
    if (!both.try_wait()) have_met = false;
  };
  std::vector<Client> clients;
  Start([](ConnectionLimits&) {},
        [&] {
          for (int i = 0; i < 2; ++i) {
            clients.emplace_back(path_);
            ASSERT_TRUE(clients.back().Send("meet\n"));
          }
        });
  for (Client& client : clients) EXPECT_EQ(client.Receive(5), "meet\n");
  EXPECT_TRUE(have_met);
}

// As where many wait for models to be opened.
TEST_F(ServerTest, BeatsAndIsToldToStopWhileClientsHoldAllThreads) {
  std::atomic<int> held = 0;
  meets_ = [&] {
    ++held;
    IsSoon([&] { return is_told_to_stop_.load(); });
  };
  std::vector<Client> clients;
  Start([](ConnectionLimits&) {},
        [&] {
          for (int i = 0; i < 2; ++i) {
            clients.emplace_back(path_);
            ASSERT_TRUE(clients.back().Send("meet\n"));
          }
        });
  ASSERT_TRUE(IsSoon([&] { return held == 2; }));
  // The first one is that of the start.
  EXPECT_TRUE(IsSoon([&] { return beats_ >= 2; }));
  server_->Stop();
  EXPECT_TRUE(IsSoon([&] { return is_told_to_stop_.load(); }));
  for (Client& client : clients) EXPECT_EQ(client.Receive(5), "meet\n");
}

// A loop that comes to nothing any more is to be killed.
TEST_F(ServerTest, DoesNotBeatWhileAllThreadsStandStill) {
  std::atomic<int> held = 0;
  std::atomic<bool> go_on = false;
  meets_ = [&] {
    ++held;
    IsSoon([&] { return go_on.load(); });
  };
  std::vector<Client> clients;
  Start([](ConnectionLimits&) {},
        [&] {
          for (int i = 0; i < 2; ++i) {
            clients.emplace_back(path_);
            ASSERT_TRUE(clients.back().Send("meet\n"));
          }
        });
  ASSERT_TRUE(IsSoon([&] { return held == 2; }));
  const int most = beats_ + 1;  // one may be due for what came last
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_LE(beats_, most);
  go_on = true;
  EXPECT_TRUE(IsSoon([&] { return beats_ > most; }));
}

// The end of a response that no socket takes at once comes, too.
TEST_F(ServerTest, ALongResponseComesWhole) {
  Start([](ConnectionLimits& limits) { limits.request_bytes = limits.held_bytes = 10000000; });
  const std::string line = std::string(3000000, 'x') + "\n";
  Client client(path_);
  std::thread sends([&] { ASSERT_TRUE(client.Send(line + "next\n")); });
  EXPECT_EQ(client.Receive(line.size() + 5), line + "next\n");
  sends.join();
}

TEST_F(ServerTest, AnOversizedRequestIsRefusedAndTheOthersGoOn) {
  Start();
  Client large(path_);
  // Whoever cannot send all of it does not read the answer.
  std::thread sends([&] {
    EXPECT_TRUE(large.Send(std::string(8000000, 'x')));
    large.SendEnd();
  });
  EXPECT_EQ(large.Receive(), "refused 0\n");
  sends.join();
  EXPECT_EQ(Client(path_).Ask("quit\n"), "quit\n");
}

TEST_F(ServerTest, AllRequestsTogetherHaveALimit) {
  Start([](ConnectionLimits& limits) { limits.held_bytes = 150000; });
  std::optional<Client> first(path_);
  first->Send(std::string(90000, 'x'));  // and no more: its request does not end
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(90000) == "refused 2\n" || first->HasAnswer(); }));
  // What was held is given back.
  first.reset();
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(90000).size() == 90001; }));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(AnswerTo(90000).size(), 90001U);
}

TEST_F(ServerTest, ResponsesThatNobodyReadsCountAsWell) {
  Start([](ConnectionLimits& limits) {
    limits.request_bytes = 3000000;
    limits.held_bytes = 4000000;
  });
  std::optional<Client> deaf(path_);
  deaf->Send(std::string(2500000, 'x') + "\n");
  EXPECT_TRUE(IsSoon([&] { return deaf->HasAnswer(); }));
  EXPECT_EQ(AnswerTo(2500000), "refused 2\n");
  deaf.reset();
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(2500000).size() == 2500001; }));
}

TEST_F(ServerTest, ASlowClientIsRefused) {
  Start([](ConnectionLimits& limits) { limits.request = milliseconds(50); });
  Client slow(path_);
  slow.Send("ha");
  EXPECT_EQ(slow.Receive(), "refused 1\n");
}

TEST_F(ServerTest, AClientThatDoesNotReadIsLeft) {
  Start([](ConnectionLimits& limits) { limits.request = milliseconds(50); });
  Client deaf(path_);
  const std::string line = std::string(90000, 'x') + "\n";
  while (deaf.Send(line)) {
  }
  EXPECT_EQ(Client(path_).Ask("quit\n"), "quit\n");
}

// As with commands of the milter protocol that have no answer.
TEST_F(ServerTest, AClientThatSendsAllTheTimeLeavesTimeForOthers) {
  threads_ = 1;
  Start();
  Client endless(path_);
  std::atomic<bool> is_over = false;
  meets_ = [&] {
    if (!is_over) endless.Send("more\n");
  };
  endless.Send("more\n");
  Client other(path_);
  other.Send("quit\n");
  EXPECT_TRUE(IsSoon([&] { return other.HasAnswer(); }));
  is_over = true;
  Stop();
}

TEST_F(ServerTest, AnIdleClientIsLeft) {
  Start([](ConnectionLimits& limits) { limits.idle = milliseconds(50); });
  Client idle(path_);
  EXPECT_EQ(idle.Receive(), "");
}

// As a mail server does while its own client is slow.
TEST_F(ServerTest, APatientSessionMayPause) {
  Start([](ConnectionLimits& limits) { limits.request = limits.idle = milliseconds(400); });
  Client client(path_);
  client.Send("patient\n");
  EXPECT_EQ(client.Receive(8), "patient\n");
  for (const char* begin : {"", "#\n"}) {
    client.Send(begin);
    std::this_thread::sleep_for(milliseconds(1000));  // longer than any other limit
    client.Send("one\n");
    EXPECT_EQ(client.Receive(4), "one\n") << begin;
  }
  client.Send("#\nhalf");
  EXPECT_EQ(client.Receive(), "refused 1\n");
}

TEST_F(ServerTest, AThousandIdleClientsDoNotDisturb) {
  rlimit descriptors{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  descriptors.rlim_cur = descriptors.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &descriptors), 0);
  if (descriptors.rlim_cur < 2500) GTEST_SKIP() << "this process may open too few files";
  Start();
  std::vector<Client> idle;
  for (int i = 0; i < 1000; ++i) {
    idle.emplace_back(path_);
    ASSERT_TRUE(idle.back().is_connected()) << i;
  }
  EXPECT_EQ(Client(path_).Ask("quit\n"), "quit\n");
  EXPECT_GE(server_->connections(), 1000U);
  for (Client& client : idle) ASSERT_EQ(client.Ask("quit\n"), "quit\n");
}

TEST_F(ServerTest, TooManyClientsAreRefused) {
  Start([](ConnectionLimits& limits) { limits.connections = 3; });
  std::vector<Client> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(path_);
    clients.back().Send("here\n");
    EXPECT_EQ(clients.back().Receive(5), "here\n");
  }
  EXPECT_EQ(Client(path_).Receive(), "refused 2\n");
  EXPECT_EQ(clients[0].Ask("quit\n"), "quit\n");
}

TEST_F(ServerTest, StopFinishesWhatHasBegun) {
  Start();
  Client idle(path_);
  idle.Send("one\n#\n");
  EXPECT_EQ(idle.Receive(4), "one\n");
  Client waits(path_);
  waits.Send("later\n");
  while (!is_asked_) std::this_thread::yield();
  server_->Stop();
  EXPECT_EQ(idle.Receive(), "");
  EXPECT_FALSE(Client(path_).Send("refused\n") && !Client(path_).Receive(1).empty());
  is_open_ = true;
  EXPECT_EQ(waits.Receive(), "later\n");
  running_.join();
}

}  // namespace
}  // namespace thresher::pipeline
