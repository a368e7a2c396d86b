// What a daemon opens before it opens its model: its sockets, and the files that settings name.
//
// What is wrong with them ends the daemon, so it is known before anything else is done. Used by daemon.cc.
// Thread-safety: DaemonSockets before there are threads; DaemonFiles from any thread.
#pragma once

#include <string>
#include <vector>

#include "pipeline/delivery/sender_lists.h"
#include "pipeline/error.h"
#include "pipeline/serve/daemon.h"
#include "pipeline/serve/listening.h"
#include "pipeline/serve/systemd.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct DaemonSockets {
  std::vector<NamedSocket> sockets;  // by protocol: "spamd", "milter" or "http"
  std::vector<std::string> files;    // of Unix sockets that this process made

  // Those that the service manager opened, and those at `addresses`; at least one.
  static Result<DaemonSockets> Open(const Settings& settings, const ServeAddresses& addresses);
};

struct DaemonFiles {
  SenderLists lists;
  std::string token;

  static Result<DaemonFiles> Read(const Settings& settings);
};

}  // namespace thresher::pipeline
