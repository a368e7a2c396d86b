// A server of a test, with a protocol of lines: each line is answered by itself.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/serve/server.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/serve/client.h"

namespace thresher::pipeline {

// "quit" closes; "later" is answered by another thread when Gate opens. "#" is not answered, nor is "keep",
// after which the session says that it keeps kKept bytes, nor "more", which calls Meets. "patient" makes the
// session so. "meet" occupies its thread until Meets returns.
class LineSession final : public Session {
 public:
  static constexpr size_t kKept = 60000;
  using Gate = std::function<void(std::function<void()>)>;
  using Meets = std::function<void()>;
  LineSession(const Gate& gate, const Meets& meets) : gate_(&gate), meets_(&meets) {}

  size_t Take(std::string_view bytes) override {
    const size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    is_whole_ = end != std::string_view::npos;
    if (is_whole_ && (line_ == "#" || line_ == "keep" || line_ == "more")) {
      if (line_ == "keep") kept_ = kKept;
      if (line_ == "more") (*meets_)();
      is_whole_ = false;
      line_.clear();
      return end + 1 + Take(bytes.substr(end + 1));
    }
    is_patient_ |= is_whole_ && line_ == "patient";
    return is_whole_ ? end + 1 : bytes.size();
  }
  bool IsAtRest() const override { return line_.empty(); }
  size_t Held(size_t taken) const override { return taken + kept_; }
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
  size_t kept_ = 0;
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
                                                             .beat = std::chrono::milliseconds(100)});
    auto socket = ListenAt(path_, {});
    ASSERT_TRUE(socket) << socket.error().message;
    server_->Listen(*std::move(socket),
                    [this](const Peer&) { return std::make_unique<LineSession>(gate_, meets_); });
    before_it_runs();
    running_ = std::thread([this] { server_->Run(threads_); });
  }
  // Starts when two clients have said "meet": each takes one of the server's threads.
  std::vector<Client> StartWithTwoThatMeet() {
    std::vector<Client> clients;
    Start([](ConnectionLimits&) {},
          [&] {
            for (int i = 0; i < 2; ++i) {
              clients.emplace_back(path_);
              ASSERT_TRUE(clients.back().Send("meet\n"));
            }
          });
    return clients;
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
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (std::chrono::steady_clock::now() < give_up) {
      if (is_so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
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

}  // namespace thresher::pipeline
