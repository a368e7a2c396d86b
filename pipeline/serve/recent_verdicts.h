// The messages that a daemon judged last, for the page that shows them to people.
//
// Written by WatchedService, read by the HTTP interface. Bounded, and in memory only: it holds the beginning
// of From and Subject, which are words of mail, so who may read it is decided there (docs/serve.md). What
// explains a message, its features, is in the spool, found by the key. Thread-safety: any threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/model/score.h"
#include "pipeline/serve/service.h"

namespace thresher::pipeline {

class RecentVerdicts {
 public:
  // Of headers, as they stand in the message.
  static constexpr size_t kMostHeaderBytes = 400;

  // `most`: how many are kept; 0: none. Times are microseconds since 1970.
  RecentVerdicts(size_t most, int64_t now_us) : most_(most), since_us_(now_us) {}

  // A message was judged: as JSON shows it.
  void Add(std::string_view protocol, std::string_view model, std::string_view message, const Judged& judged,
           int64_t time_us);
  // The message with this key was taught.
  void Tell(const tokenizer::MessageKey& key, Label label);
  // These were forgotten: they count as not taught.
  void Forget(std::span<const tokenizer::MessageKey> keys);

  // {"since": T, "last": N, "kept": …, "messages": […]}: what was judged, taught or forgotten after the
  // change with number `after`, the newest first. `last` is the number to ask with next, of those that began
  // at `since`.
  nlohmann::ordered_json After(uint64_t after) const;

 private:
  struct Seen {
    uint64_t change;  // its number
    int64_t time_us;
    std::string protocol;
    std::string model;  // its name
    tokenizer::MessageKey key;
    Verdict verdict;
    std::string listed;  // Judged::listed
    Score score;
    size_t bytes;
    std::string sender;
    std::string subject;
    std::optional<Label> taught;
  };
  static nlohmann::ordered_json JsonOf(const Seen& seen);

  size_t most_;
  int64_t since_us_;
  mutable std::mutex mutex_;
  std::deque<Seen> messages_;  // oldest first
  uint64_t changes_ = 0;
};

}  // namespace thresher::pipeline
