// A connection to the servers of NATS that keep a log.
//
// Made by nats_log.cc: one for the logs of all models of a daemon. Thread-safety: that of the C library,
// whose values may be used by any threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/cluster/nats_library.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// A value of the C library, destroyed with this.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

struct NatsLink {
  explicit NatsLink(const NatsLibrary& of) : nats(&of) {}
  ~NatsLink();
  NatsLink(const NatsLink&) = delete;
  NatsLink& operator=(const NatsLink&) = delete;

  // The library connects again by itself if the connection is lost.
  static Result<std::shared_ptr<NatsLink>> Connect(const NatsLibrary& nats, const ClusterSettings& settings);

  // What its user was last denied, or nothing. The servers say that beside the answer, which does not come.
  std::string_view LastDenied() const;

  const NatsLibrary* nats;
  natsConnection* connection = nullptr;
  jsCtx* jet = nullptr;
};

// kBusy: "the log 'mail' at nats://one:4222: cannot WHAT: WHY"; where no answer came, with what was last
// denied, which may be why. REQUIRES: `status` is that of the last call in this thread.
Error NatsFailure(const NatsLink& link, const ClusterSettings& settings, const char* what, natsStatus status);

// kData: the servers say that they have no stream of the log any more (JSStreamNotFoundErr). That one of them
// does not answer, or has no leader, is another error.
Error LogRemoved(const ClusterSettings& settings);

// Connects when it is first asked, and again as long as it takes. Thread-safety: any threads.
class NatsConnector {
 public:
  NatsConnector(const NatsLibrary& nats, ClusterSettings settings)
      : nats_(&nats), settings_(std::move(settings)) {}

  const NatsLibrary& nats() const { return *nats_; }
  const ClusterSettings& settings() const { return settings_; }
  // Once connected, the library connects again by itself; what is asked meanwhile fails at once.
  Result<std::shared_ptr<NatsLink>> Connected();

 private:
  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::mutex mutex_;  // of link_
  std::shared_ptr<NatsLink> link_;
};

}  // namespace thresher::pipeline
