// The pieces of snapshots of a shared log on NATS, in a stream of their own.
//
// Of the log NAME the stream is thresher_snapshots-NAME; nats_names.h has the subjects of a snapshot's
// pieces. Used by nats_log.cc. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/nats_stream.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

class NatsSnapshots {
 public:
  // `subjects`: NatsNames::snapshots.
  NatsSnapshots(const NatsLibrary& nats, const ClusterSettings& settings, std::string subjects)
      : nats_(&nats),
        settings_(settings),
        subjects_(std::move(subjects)),
        stream_name_("thresher_snapshots-" + settings.stream),
        stream_(nats, settings, stream_name_) {}

  // As OrderedLog.
  Result<uint64_t> Put(const NatsLink& link, const std::string& snapshot, std::string_view bytes) const;
  Result<void> Get(const NatsLink& link, const std::string& snapshot,
                   const OrderedLog::TakePiece& take) const;
  Result<void> DropAllOf(const NatsLink& link, const std::string& snapshot) const {
    return Remove(link, snapshot, std::numeric_limits<uint64_t>::max(), [] { return true; });
  }
  Result<void> Drop(const NatsLink& link, uint64_t before, const GoesOn& goes_on) const {
    return Remove(link, "*", before, goes_on);
  }

 private:
  Result<void> Make(const NatsLink& link) const;
  // Gives the messages of all pieces and their numbers to `take`, without the bytes if `headers_only`.
  // `snapshot`: its name, or "*" for all of this log.
  using TakeMessage = std::function<Result<void>(natsMsg* piece, uint64_t number)>;
  Result<void> Read(const NatsLink& link, const std::string& snapshot, bool headers_only,
                    const TakeMessage& take) const;
  Result<void> Remove(const NatsLink& link, const std::string& snapshot, uint64_t before,
                      const GoesOn& goes_on) const;
  Error Failed(const NatsLink& link, const char* what, natsStatus status) const {
    return NatsFailure(link, settings_, what, status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string subjects_;
  std::string stream_name_;
  NatsStream stream_;
};

}  // namespace thresher::pipeline
