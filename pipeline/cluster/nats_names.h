// What the parts of the log of one model are called on the servers of NATS.
//
// Of the log NAME, a daemon with one model has the subject thresher.NAME, the keys "identity", "snapshot" and
// those of its nodes, and snapshots under thresher_snapshots.NAME.SNAPSHOT. Another model has
// thresher.NAME.MODEL, keys that begin with "MODEL.", and thresher_snapshots.NAME.MODEL.SNAPSHOT, MODEL in
// hexadecimal digits. Used by nats_log.cc. Thread-safety: plain values and pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

struct NatsNames {
  std::string subject;    // of its records
  std::string keys;       // in both buckets: before each
  std::string snapshots;  // subjects of its snapshots: before each
};

// `model`: its name; empty: the one of a daemon that has one.
NatsNames NatsNamesOf(const std::string& stream, std::string_view model);

// Whether a log can be called so.
bool IsLogName(std::string_view name);

}  // namespace thresher::pipeline
