// The event loop of a daemon: accepts clients, runs their connections in a number of threads, and hears
// signals in one more.
//
// Made by the daemon, which gives it sockets that listen. Thread-safety: Run by one thread; Listen, Stop and
// connections from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "pipeline/serve/connection.h"
#include "pipeline/serve/listening.h"
#include "pipeline/serve/session.h"

namespace thresher::pipeline {

class Server {
 public:
  struct Hooks {
    std::function<void()> on_stop;    // SIGTERM or SIGINT: what is in progress is being finished
    std::function<void()> on_reload;  // SIGHUP
    std::function<void()> on_beat;    // every `beat` while clients' threads work; never if that is 0
    std::chrono::microseconds beat{0};
  };

  // Signals wait for HearsStop or Run from now on.
  Server(const ConnectionLimits& limits, Hooks hooks);
  ~Server();

  // Before Run: does what signals ask for that have come; whether one ends the server. Run then returns at
  // once.
  bool HearsStop();
  // From now on, or from Run on.
  void Listen(ListeningSocket socket, MakeSession make_session);
  // Serves until a signal or Stop ends it: no more clients are accepted, and requests that have begun are
  // finished, for at most `grace`.
  void Run(size_t threads, std::chrono::milliseconds grace = std::chrono::seconds(30));
  void Stop();

  size_t connections() const;

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace thresher::pipeline
