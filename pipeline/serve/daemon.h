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

// Where the daemon's settings come from.
struct SettingsSource {
  std::function<Result<Settings>()> read;  // as they are now
  std::vector<std::string> words = {};     // of a command line, that give another command the same ones
};

// Serves until SIGTERM or SIGINT; returns when what was begun is finished and on disk. SIGHUP has the
// settings read again. Errors are those of the sockets; a model that cannot be opened is none: requests are
// refused until it can be.
Result<void> Serve(const Settings& settings, const ServeAddresses& addresses, const SettingsSource& source);

}  // namespace thresher::pipeline
