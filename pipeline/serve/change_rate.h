// How often a client may change the model: so many times a second, ten seconds' worth of them at once.
//
// Called by HttpApi and, for spamd sessions, by daemon.cc before anything is taught. Clients are told apart
// by Peer::name; the daemon's own user and root are not limited, as they are who teaches folders of mail.
// Thread-safety: any threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "pipeline/serve/peer.h"

namespace thresher::pipeline {

class ChangeRate {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double kBurstSeconds = 10;
  static constexpr size_t kMostClients = 10000;  // that are told apart

  // 0: no limit.
  explicit ChangeRate(double per_second) : per_second_(per_second) {}

  // Whether the client may go on; if so, that counts.
  bool Allow(const Peer& peer, Clock::time_point now = Clock::now());

 private:
  struct Allowance {
    double left = 0;
    Clock::time_point at;
  };
  void DropIdle(Clock::time_point now);

  double per_second_;
  std::mutex mutex_;
  std::unordered_map<std::string, Allowance> clients_;
};

}  // namespace thresher::pipeline
