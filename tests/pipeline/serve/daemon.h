// A running `thresher serve` of a test.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/serve/client.h"

namespace thresher::pipeline {

class ServeTest : public testing::Test {
 protected:
  ServeTest() { std::filesystem::create_directory(store_); }

  // With a spamd socket; returns when the daemon is ready to judge.
  RunningThresher Start(const std::vector<std::string>& flags = {}) const {
    auto daemon = StartIfItCan(flags);
    if (!daemon) throw std::runtime_error("the daemon has ended");
    return *std::move(daemon);
  }
  // Nothing if it has ended, as it does if another program has the port.
  std::optional<RunningThresher> StartIfItCan(const std::vector<std::string>& flags) const {
    std::vector<std::string> words = {"serve", "--store", store_, "--spamd", spamd_};
    words.insert(words.end(), flags.begin(), flags.end());
    std::optional<RunningThresher> daemon(std::in_place, words);
    while (!IsReady(spamd_)) {
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(daemon->pid()), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid != 0) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return daemon;
  }
  // On a TCP port that nobody else has, too: `flag` 127.0.0.1:PORT.
  RunningThresher StartOverTcp(const std::string& flag, const std::vector<std::string>& flags,
                               int* port) const {
    for (*port = 20334;; *port += 7) {
      std::vector<std::string> all = {flag, "127.0.0.1:" + std::to_string(*port)};
      all.insert(all.end(), flags.begin(), flags.end());
      if (auto daemon = StartIfItCan(all)) return *std::move(daemon);
    }
  }
  // All mail that came so far is spam: the model can tell, and takes ham for spam, with a probability of .8.
  void TeachThatAllIsSpam() const {
    ASSERT_EQ(RunThresher({"learn", "--stream", "--spam", "--store", store_}, SpamMessage(1)).exit_code, 0);
  }
  static Ran Stop(RunningThresher& daemon) {
    ::kill(daemon.pid(), SIGTERM);
    return daemon.Finish();
  }
  static bool IsReady(const std::string& socket) {
    Client client(socket);
    return client.is_connected() &&
           client.Ask(SpamdRequest("CHECK", "Subject: x\n\n")).starts_with("SPAMD/1.1 0");
  }
  static std::string SpamdRequest(const std::string& verb, const std::string& message,
                                  const std::string& headers = "") {
    return verb + " SPAMC/1.5\r\n" + headers + "Content-length: " + std::to_string(message.size()) +
           "\r\n\r\n" + message;
  }
  std::string Tell(const std::string& message, bool is_spam) const {
    return Client(spamd_).Ask(SpamdRequest(
        "TELL", message, std::string("Message-class: ") + (is_spam ? "spam" : "ham") + "\r\nSet: local\r\n"));
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
  std::string spamd_ = directory_ / "spamd";
};

}  // namespace thresher::pipeline
