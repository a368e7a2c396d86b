// A connection to the servers of NATS that keep a log.
//
// Made by NatsLog. Thread-safety: that of the C library, whose values may be used by any threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/cluster/nats_library.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// A value of the C library, destroyed with this.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// A server that says nothing for so long cannot be reached.
inline constexpr int64_t kNatsAnswerMs = 3000;

struct NatsLink {
  explicit NatsLink(const NatsLibrary& of) : nats(&of) {}
  ~NatsLink();
  NatsLink(const NatsLink&) = delete;
  NatsLink& operator=(const NatsLink&) = delete;

  // The library connects again by itself if the connection is lost.
  static Result<std::shared_ptr<NatsLink>> Connect(const NatsLibrary& nats, const ClusterSettings& settings);

  const NatsLibrary* nats;
  natsConnection* connection = nullptr;
  jsCtx* jet = nullptr;
};

// kBusy: "the log 'mail' at nats://one:4222: cannot WHAT: WHY". REQUIRES: `status` is that of the last call
// in this thread.
Error NatsFailure(const NatsLibrary& nats, const ClusterSettings& settings, const char* what,
                  natsStatus status);

}  // namespace thresher::pipeline
