// A stream of NATS: makes it, removes what is old, asks the server that leads it for single records.
//
// What is old leaves message by message. A purge would be one request. But a server older than 2.9.18 (Debian
// 12 has 2.9.10) that is started again repeats each purge of its own log of changes as one of all that the
// stream held then, whatever the purge was limited to (nats-server, issue 4196): records that a quorum had
// acknowledged would be gone. It repeats the removal of a message as what it was.
//
// Used by nats_log.cc and nats_snapshots.cc. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// Of what was told not to go on.
inline Error EndedEarly() { return {kBusy, "the removal of old records was ended early"}; }

class NatsStream {
 public:
  NatsStream(const NatsLibrary& nats, ClusterSettings settings, std::string name)
      : nats_(&nats), settings_(std::move(settings)), name_(std::move(name)) {}

  // Makes it, or gives it those of the subjects that it lacks; otherwise it stays as it is: it may have been
  // made with other replicas. kConfig if it has another program's.
  Result<void> Make(const NatsLink& link, const char* description,
                    const std::vector<std::string>& subjects) const;

  // Removes the records of a subject whose number is less, the oldest first. Begun again after an error, it
  // goes on. Ends early, with an error, if `goes_on` says no.
  Result<void> RemoveBefore(const NatsLink& link, const std::string& subject, uint64_t number,
                            const GoesOn& goes_on) const;
  // Removes the record of this number, if it is there.
  Result<void> Remove(const NatsLink& link, uint64_t number) const;

  // Whether it has the record of this number, and that is one of this subject.
  Result<bool> Has(const NatsLink& link, const std::string& subject, uint64_t seq) const;
  // The number of the first record of a subject after `seq`; 0 if there is none.
  Result<uint64_t> NextAfter(const NatsLink& link, const std::string& subject, uint64_t seq) const;
  // Of the last one; 0 if there is none.
  Result<uint64_t> LastOf(const NatsLink& link, const std::string& subject) const;

 private:
  struct Found {
    uint64_t seq = 0;  // 0: no such record
    std::string subject;
  };
  Result<Found> Ask(const NatsLink& link, const std::string& request) const;
  Error Failed(const NatsLink& link, const char* what, natsStatus status) const {
    return NatsFailure(link, settings_, what, status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string name_;
};

}  // namespace thresher::pipeline
