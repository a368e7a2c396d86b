// Writes classified messages into the spool behind the verdicts: no client waits for the disk, and threads
// that score do not wait for each other.
//
// A message waits in memory for some milliseconds. Where more come than the disk takes, a thread that
// brings one writes another first. Whoever looks into the spool calls WriteNow first. A daemon that is killed
// loses what waits: then late feedback on it is not possible, but nothing that was taught is lost.
//
// A message that comes again costs a look whether its file is still there, once the file was written or found
// sound by this process.
//
// Used by ModelService. Thread-safety: any threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/delivery/spool.h"
#include "pipeline/serve/working_thread.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

class SpoolWriter {
 public:
  static constexpr size_t kMostWaitingBytes = size_t{32} << 20;

  // Of a message that could not be kept: late feedback will not find it. From any thread.
  using OnFailure = std::function<void(const tokenizer::MessageKey& key, const Error& why)>;

  explicit SpoolWriter(
      size_t most_waiting_bytes = kMostWaitingBytes,
      OnFailure on_failure = [](const tokenizer::MessageKey&, const Error&) {})
      : most_waiting_bytes_(most_waiting_bytes), on_failure_(std::move(on_failure)) {}

  // Takes *features, and leaves memory of others in it that can be used again; leaves them if they are known
  // to be in the spool. Returns at once unless too much waits.
  void Keep(const Spool& spool, const tokenizer::MessageKey& key, tokenizer::Features* features);

  // Returns when what waits under this Message-ID, or all that waits, is in the spool.
  void WriteNow(std::string_view message_id);
  void WriteAllNow();

  // How many messages could not be kept.
  uint64_t failures() const { return failures_; }

  // Writes all that waits; nothing is kept after it.
  void Finish() { thread_.Finish(); }

 private:
  struct Entry {
    Spool spool;
    tokenizer::MessageKey key;
    tokenizer::Features features;
    size_t bytes;
  };
  void WriteThose(const std::function<bool(const Entry&)>& are_meant);
  void WriteOldest();
  void Write(const Entry& entry);
  bool IsWritten(const Spool& spool, const tokenizer::MessageKey& key);
  void Recycle(Entry entry);

  size_t most_waiting_bytes_;
  OnFailure on_failure_;
  std::atomic<uint64_t> failures_ = 0;
  std::mutex writing_mutex_;   // held from taking entries off the queue to their being written; before mutex_
  std::mutex mutex_;           // of what follows
  std::deque<Entry> waiting_;  // oldest first
  size_t waiting_bytes_ = 0;
  std::vector<tokenizer::Features> spare_;
  std::unordered_set<std::string> written_;  // digests of messages lately found or written
  WorkingThread thread_{mutex_, [this] { return !waiting_.empty(); }, [this] { WriteOldest(); }};
};

}  // namespace thresher::pipeline
