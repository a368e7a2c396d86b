// What is old leaves a stream of NATS message by message.
//
// A purge would be one request. But a server older than 2.9.18 (Debian 12 has 2.9.10) that is started again
// repeats each purge of its own log of changes as one of all that the stream held then, whatever the purge
// was limited to (nats-server, issue 4196): records that a quorum had acknowledged would be gone. It repeats
// the removal of a message as what it was. Used by nats_log.cc and nats_snapshots.cc. Thread-safety: any
// threads.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

class NatsRemoval {
 public:
  NatsRemoval(const NatsLibrary& nats, const ClusterSettings& settings) : nats_(&nats), settings_(settings) {}

  // Removes the messages whose number is less, the oldest first. Begun again after an error, it goes on.
  // Ends early, with an error, if `goes_on` says no.
  Result<void> Before(const NatsLink& link, const std::string& stream, uint64_t number,
                      const GoesOn& goes_on) const;
  // Removes the message of this number, if it is there.
  Result<void> One(const NatsLink& link, const std::string& stream, uint64_t number) const;

 private:
  Error Failed(natsStatus status) const {
    return NatsFailure(*nats_, settings_, "remove what is old", status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
};

}  // namespace thresher::pipeline
