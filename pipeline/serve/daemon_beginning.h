// What a daemon opens before it opens its model: its sockets, and the files that settings name; and how many
// descriptors it may have.
//
// What is wrong with them ends the daemon, so it is known before anything else is done. Used by daemon.cc.
// Thread-safety: OpenSockets before there are threads; AllowConnections from one; DaemonFiles from any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/delivery/sender_lists.h"
#include "pipeline/error.h"
#include "pipeline/serve/daemon.h"
#include "pipeline/serve/listening.h"
#include "pipeline/serve/systemd.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// Raises the number of descriptors that this process may open; returns how many clients that is enough for.
size_t AllowConnections(const ServeSettings& serve);

// By protocol ("spamd", "milter" or "http"): those that the service manager opened, and those at `addresses`;
// at least one. Once those are open that need root, the process is the user's of serve.run_as.
Result<std::vector<NamedSocket>> OpenSockets(const Settings& settings, const ServeAddresses& addresses);

struct DaemonFiles {
  SenderLists lists;
  std::string token;

  static Result<DaemonFiles> Read(const Settings& settings);
};

}  // namespace thresher::pipeline
