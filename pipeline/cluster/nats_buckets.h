// What a shared log on NATS keeps beside its records: two key-value buckets.
//
// Used by nats_log.cc. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

class NatsBuckets {
 public:
  // `keys`: NatsNames::keys.
  NatsBuckets(const NatsLibrary& nats, const ClusterSettings& settings, std::string keys)
      : nats_(&nats),
        settings_(settings),
        keys_(std::move(keys)),
        agreed_("thresher-" + settings.stream),
        nodes_("thresher_nodes-" + settings.stream) {}

  // The text under a key of thresher-NAME; nothing if there is none.
  Result<std::optional<std::string>> Get(const NatsLink& link, const char* key) const;
  Result<void> Put(const NatsLink& link, const char* key, const std::string& text) const;
  // Makes the bucket, and puts the text if the key has none; returns what it has.
  Result<std::string> PutFirst(const NatsLink& link, const char* key, const std::string& text) const;

  // As OrderedLog.
  Result<void> PutEntry(const NatsLink& link, const std::string& node, const std::string& text) const;
  Result<std::vector<OrderedLog::Entry>> Entries(const NatsLink& link) const;

 private:
  Owned<kvStore> Open(const NatsLink& link, const std::string& name, natsStatus* status) const;
  // keep_ns: what is older leaves; 0: nothing does.
  Owned<kvStore> Make(const NatsLink& link, const std::string& name, const char* description, int64_t keep_ns,
                      natsStatus* status) const;
  Error Failed(const NatsLink& link, const char* what, natsStatus status) const {
    return NatsFailure(link, settings_, what, status);
  }

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string keys_;  // of this log: before each
  std::string agreed_;
  std::string nodes_;
};

}  // namespace thresher::pipeline
