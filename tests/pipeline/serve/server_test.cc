// Connections and their limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/pipeline/serve/server_fixture.h"

namespace thresher::pipeline {
namespace {

using std::chrono::milliseconds;

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
  Start([](ConnectionLimits& limits) { limits.drain = std::chrono::hours(1); });
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
  // The server counts it after the client has some of it.
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(2500000) == "refused 2\n"; }));
  deaf.reset();
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(2500000).size() == 2500001; }));
}

// As a session of the milter protocol keeps recipients, perhaps for hours.
TEST_F(ServerTest, WhatASessionAtRestKeepsCountsAsWell) {
  Start([](ConnectionLimits& limits) {
    limits.held_bytes = LineSession::kKept + 40000;
    limits.idle = std::chrono::hours(1);
  });
  std::optional<Client> first(path_);
  first->Send("keep\n");
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(90000) == "refused 2\n"; }));
  EXPECT_EQ(AnswerTo(90000), "refused 2\n");  // also when it rests
  EXPECT_EQ(AnswerTo(1000).size(), 1001U);
  first.reset();
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(90000).size() == 90001; }));
}

TEST_F(ServerTest, WhatIsBehindARequestCountsAsWell) {
  std::mutex mutex;
  std::vector<std::function<void()>> waiting;
  bool is_open = false;
  gate_ = [&](std::function<void()> respond) {
    {
      const std::lock_guard lock(mutex);
      if (!is_open) return waiting.push_back(std::move(respond));
    }
    respond();
  };
  Start([](ConnectionLimits& limits) { limits.held_bytes = 100000; });
  std::vector<Client> ahead;
  for (int i = 0; i < 8; ++i) {
    ahead.emplace_back(path_);
    ahead.back().Send("later\n" + std::string(60000, 'x'));
  }
  EXPECT_TRUE(IsSoon([&] { return std::ranges::any_of(ahead, &Client::HasAnswer); }));
  {
    const std::lock_guard lock(mutex);
    is_open = true;
  }
  for (const std::function<void()>& respond : waiting) respond();
  ahead.clear();
  EXPECT_TRUE(IsSoon([&] { return AnswerTo(90000).size() == 90001; }));
  Stop();
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

TEST_F(ServerTest, AnIdleClientIsLeft) {
  Start([](ConnectionLimits& limits) { limits.idle = milliseconds(50); });
  Client idle(path_);
  EXPECT_EQ(idle.Receive(), "");
}

// As a mail server does while its own client is slow.
TEST_F(ServerTest, APatientSessionMayPause) {
  std::optional<Client> client;
  Start(
      [](ConnectionLimits& limits) {
        limits.request = limits.idle = milliseconds(50);
        limits.patience = std::chrono::hours(1);
      },
      [&] {  // so that the server never waits for a client that it does not know as patient
        client.emplace(path_);
        client->Send("patient\n");
      });
  EXPECT_EQ(client->Receive(8), "patient\n");
  for (const char* begin : {"", "#\n"}) {
    client->Send(begin);
    std::this_thread::sleep_for(milliseconds(300));  // longer than any other limit
    client->Send("one\n");
    EXPECT_EQ(client->Receive(4), "one\n") << begin;
  }
  client->Send("#\nhalf");
  EXPECT_EQ(client->Receive(), "refused 1\n");
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

}  // namespace
}  // namespace thresher::pipeline
