// That no client keeps the server's threads from others, nor from what the server has to hear and to tell.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/descriptor.h"
#include "tests/pipeline/serve/server_fixture.h"

namespace thresher::pipeline {
namespace {

using std::chrono::milliseconds;

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
    if (!IsSoon([&] { return both.try_wait(); })) have_met = false;
  };
  std::vector<Client> clients = StartWithTwoThatMeet();
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
  std::vector<Client> clients = StartWithTwoThatMeet();
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
  std::vector<Client> clients = StartWithTwoThatMeet();
  ASSERT_TRUE(IsSoon([&] { return held == 2; }));
  const int most = beats_ + 1;  // one may be due for what came last
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_LE(beats_, most);
  go_on = true;
  EXPECT_TRUE(IsSoon([&] { return beats_ > most; }));
  for (Client& client : clients) EXPECT_EQ(client.Receive(5), "meet\n");
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

// Such a socket is always ready, and gives no client.
TEST_F(ServerTest, ASocketThatDoesNotListenTakesNoTime) {
  Start([](ConnectionLimits&) {},
        [this] {
          storage::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
          server_->Listen(ListeningSocket(std::move(socket), false),
                          [this](const Peer&) { return std::make_unique<LineSession>(gate_, meets_); });
        });
  const auto used = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto before = used();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LT(used() - before, milliseconds(100));
  EXPECT_EQ(Client(path_).Ask("quit\n"), "quit\n");
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
  Client late(path_);
  EXPECT_EQ(late.Ask("refused\n"), "");
  is_open_ = true;
  EXPECT_EQ(waits.Receive(), "later\n");
  running_.join();
}

// A request that has come to the socket has begun, though no thread has read it yet.
TEST_F(ServerTest, StopFinishesWhatNobodyHasRead) {
  threads_ = 1;
  std::atomic<bool> is_held = false;
  meets_ = [&] {
    is_held = true;
    IsSoon([&] { return is_open_.load(); });
  };
  Start();
  Client idle(path_);
  idle.Send("one\n");
  EXPECT_EQ(idle.Receive(4), "one\n");
  Client holds(path_);
  holds.Send("meet\n");
  ASSERT_TRUE(IsSoon([&] { return is_held.load(); }));
  idle.Send("two\n");
  server_->Stop();
  is_open_ = true;
  EXPECT_EQ(idle.Receive(), "two\n");
  running_.join();
}

}  // namespace
}  // namespace thresher::pipeline
