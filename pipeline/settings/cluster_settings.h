// The settings of a daemon whose model follows a shared log, part of Settings.
//
// Used by settings.h, and by the files of cluster/ that talk to a server. Thread-safety: a plain value.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace thresher::pipeline {

struct ClusterSettings {
  std::string log;  // nats://HOST:PORT, several separated by commas; empty: the model follows no log
  std::string stream = "thresher";
  uint64_t replicas = 3;
  std::string credentials_file;
  std::string ca_file;
  uint64_t outbox_bytes = uint64_t{256} << 20;
  uint64_t digest_every = 1000;
  uint64_t snapshot_every = 20000;
  uint64_t snapshot_bytes = uint64_t{256} << 20;
  uint64_t snapshot_days = 30;

  // These are no settings of users: only tests change them.
  // A server that says nothing for so long cannot be reached.
  std::chrono::milliseconds answer{3000};
  // Who taught something waits so long for this node to apply it.
  std::chrono::milliseconds patience{5000};
  // After a snapshot that could not be made or fetched, the next one is tried after so long.
  std::chrono::milliseconds snapshot_again{30000};
};

}  // namespace thresher::pipeline
