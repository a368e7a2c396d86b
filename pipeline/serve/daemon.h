// `thresher serve` as a whole: sockets, service, event loop, log, service manager.
//
// Called by the command. Thread-safety: one call in a process, which must have one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// Where clients of each protocol connect: ADDRESS:PORT or the path of a Unix socket.
struct ServeAddresses {
  std::vector<std::string> spamd;
  std::vector<std::string> http;
  std::vector<std::string> milter;
};

// Serves until SIGTERM or SIGINT; returns when what was begun is finished and on disk. reload: the settings
// as they are on SIGHUP. Errors are those of the sockets; a model that cannot be opened is none: requests are
// refused until it can be.
Result<void> Serve(const Settings& settings, const ServeAddresses& addresses,
                   const std::function<Result<Settings>()>& reload);

}  // namespace thresher::pipeline
