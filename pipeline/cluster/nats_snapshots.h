// The pieces of snapshots of a shared log on NATS, in a stream of their own.
//
// Of the log NAME the stream is thresher_snapshots-NAME, and the subject of a snapshot's pieces
// thresher_snapshots.NAME.SNAPSHOT. Used by nats_log.cc. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/nats_removal.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

class NatsSnapshots {
 public:
  NatsSnapshots(const NatsLibrary& nats, const ClusterSettings& settings)
      : nats_(&nats),
        settings_(settings),
        removal_(nats, settings),
        stream_("thresher_snapshots-" + settings.stream),
        subjects_("thresher_snapshots." + settings.stream + ".") {}

  // As OrderedLog.
  Result<uint64_t> Put(const NatsLink& link, const std::string& snapshot, std::string_view bytes) const;
  Result<void> Get(const NatsLink& link, const std::string& snapshot,
                   const OrderedLog::TakePiece& take) const;
  Result<void> DropAllOf(const NatsLink& link, const std::string& snapshot) const;
  Result<void> Drop(const NatsLink& link, uint64_t before, const GoesOn& goes_on) const {
    return removal_.Before(link, stream_, before, goes_on);
  }

 private:
  Result<void> Make(const NatsLink& link) const;
  // Gives the messages of all pieces and their numbers to `take`, without the bytes if `headers_only`.
  using TakeMessage = std::function<Result<void>(natsMsg* piece, uint64_t number)>;
  Result<void> Read(const NatsLink& link, const std::string& snapshot, bool headers_only,
                    const TakeMessage& take) const;
  Error Failed(const char* what, natsStatus status) const {
    return NatsFailure(*nats_, settings_, what, status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  NatsRemoval removal_;
  std::string stream_;
  std::string subjects_;
};

}  // namespace thresher::pipeline
