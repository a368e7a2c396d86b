// What systemd gives a daemon in the environment, and what it wants to be told: sd_notify(3),
// sd_listen_fds(3).
//
// Without systemd there is nothing to get or to tell. Used by the daemon. Thread-safety: TakeSockets before
// there are threads; the others from any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/serve/listening.h"

namespace thresher::pipeline {

// "READY=1", "STATUS=…": one or several lines.
void TellSystemd(std::string_view state);

// How often it must be told "WATCHDOG=1"; 0 if it does not watch.
std::chrono::microseconds WatchdogInterval();

// The sockets that it opened for this process, with the names that the unit gave them (FileDescriptorName).
struct NamedSocket {
  std::string name;
  ListeningSocket socket;
};
std::vector<NamedSocket> TakeSockets();

}  // namespace thresher::pipeline
