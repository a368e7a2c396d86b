// A real server of NATS for tests, and logs on it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "pipeline/cluster/nats_log.h"
#include "tests/pipeline/stand_still.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {

// A server in a folder of its own, at a port that was free.
class NatsServer {
 public:
  explicit NatsServer(std::filesystem::path dir, const std::string& more = "") : dir_(std::move(dir)) {
    std::filesystem::create_directories(dir_);
    std::ofstream(dir_ / "conf") << fmt::format(
        "ports_file_dir: \"{0}\"\njetstream {{ store_dir: \"{0}/js\" }}\n{1}\n", dir_.string(), more);
    StartAtFreePort();
  }
  ~NatsServer() { Kill(); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  static bool IsInstalled() { return std::system("command -v nats-server >/dev/null") == 0; }

  void Kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  // It answers nothing from now on.
  void StandStill() const { pipeline::StandStill(pid_); }
  // At the same port.
  void Restart() {
    Kill();
    ASSERT_TRUE(Start());
  }
  std::string Url(const std::string& user = "") const { return "nats://" + user + "127.0.0.1:" + port_; }

 private:
  // None of those that the kernel gives to clients: it would give them this one while the server is away.
  void StartAtFreePort() {
    std::random_device random;
    for (int tries = 0; tries < 20; ++tries) {
      port_ = std::to_string(20000 + random() % 12000);
      if (Start()) return;
    }
    FAIL() << "the server ends at once";
  }
  // False if the server has ended: something else may have the port.
  bool Start() {
    std::filesystem::remove(PortsFile());
    pid_ = ::fork();
    if (pid_ == 0) {
      const std::string conf = dir_ / "conf";
      const std::string log = dir_ / "log";
      ::execlp("nats-server", "nats-server", "-c", conf.c_str(), "-a", "127.0.0.1", "-p", port_.c_str(), "-l",
               log.c_str(), nullptr);
      ::_exit(127);
    }
    std::string text;
    while (text.find(port_) == std::string::npos || text.find('}') == std::string::npos) {
      if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
        pid_ = -1;
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::ifstream file(PortsFile());
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    return true;
  }
  std::filesystem::path PortsFile() const { return dir_ / fmt::format("nats-server_{}.ports", pid_); }

  std::filesystem::path dir_;
  std::string port_;
  pid_t pid_ = -1;
};

// Shown as skipped where nats-server is not installed.
class NatsServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!NatsServer::IsInstalled()) GTEST_SKIP() << "nats-server is not installed";
  }
  static ClusterSettings SettingsFor(const std::string& url, const std::string& stream = "mail") {
    ClusterSettings settings;
    settings.log = url;
    settings.stream = stream;
    settings.replicas = 1;
    // A server that stands still for some seconds is none that is gone.
    settings.answer = std::chrono::minutes(1);
    settings.patience = std::chrono::hours(1);
    return settings;
  }
  // Of the one model that a daemon has.
  static std::unique_ptr<OrderedLog> LogAt(const std::string& url, const std::string& stream = "mail") {
    return LogOf(SettingsFor(url, stream));
  }
  static std::unique_ptr<OrderedLog> LogOf(const ClusterSettings& settings) {
    const auto logs = MakeNatsLogs(settings);
    EXPECT_TRUE(logs.has_value()) << logs.error().message;
    return (*logs)("");
  }

  TestDirectory directory_;
};

}  // namespace thresher::pipeline
