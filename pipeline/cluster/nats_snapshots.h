// The pieces of snapshots of a shared log on NATS, in a stream of their own.
//
// Of the log NAME the stream is thresher_snapshots-NAME, and the subject of a snapshot's pieces
// thresher_snapshots.NAME.SNAPSHOT. Used by nats_log.cc. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

class NatsSnapshots {
 public:
  NatsSnapshots(const NatsLibrary& nats, const ClusterSettings& settings)
      : nats_(&nats),
        settings_(settings),
        stream_("thresher_snapshots-" + settings.stream),
        subjects_("thresher_snapshots." + settings.stream + ".") {}

  // As OrderedLog.
  Result<uint64_t> Put(const NatsLink& link, const std::string& snapshot, std::string_view bytes) const;
  Result<void> Get(const NatsLink& link, const std::string& snapshot,
                   const OrderedLog::TakePiece& take) const;
  Result<void> DropAllOf(const NatsLink& link, const std::string& snapshot) const;
  Result<void> Drop(const NatsLink& link, uint64_t before) const { return Purge(link, stream_, before); }
  // Removes what a stream has before this number.
  Result<void> Purge(const NatsLink& link, const std::string& stream, uint64_t before) const;

 private:
  Result<void> Make(const NatsLink& link) const;
  Result<void> Purge(const NatsLink& link, const std::string& stream, jsOptions* options) const;
  Error Failed(const char* what, natsStatus status) const {
    return NatsFailure(*nats_, settings_, what, status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string stream_;
  std::string subjects_;
};

}  // namespace thresher::pipeline
