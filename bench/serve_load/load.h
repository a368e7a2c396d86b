// Clients of a filter: many connections in one thread, without a pause (closed loop) or at a given rate.
//
// Used by the program serve_load. At a given rate a request's time begins when it was due, so that a server
// that falls behind does not look fast. Thread-safety: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "bench/serve_load/requests.h"

namespace thresher::bench {

// How a client behaves.
enum class Manner {
  kSound,
  kSlow,        // sends a byte every 50 ms
  kUnfinished,  // sends half of its request, then nothing
  kIdle,        // connects and says nothing
};

struct LoadOptions {
  std::string at;  // path of a Unix socket, or ADDRESS:PORT
  Ask ask = Ask::kHttp;
  Manner manner = Manner::kSound;
  size_t connections = 1;
  double rate = 0;     // requests offered a second; 0: as many as are answered
  double seconds = 5;  // 0: until each message was sent once
};

struct LoadResult {
  std::vector<double>
      milliseconds;              // of each request that was answered rightly, sorted; if not sound, of each
  std::vector<size_t> answered;  // which messages were answered rightly, in that order
  size_t failed = 0;             // answered by an error, or not at all
  size_t connected = 0;          // connections, in all
  size_t ended = 0;              // by the server
  double seconds = 0;            // from the first request to the last answer
};

// Sends the messages in turn.
LoadResult RunLoad(const LoadOptions& options, const std::vector<SentMessage>& messages);

}  // namespace thresher::bench
