// Makes a snapshot of a daemon's model for the other nodes of its log: a backup in a folder beside the model,
// which a thread of its own gives to the servers.
//
// Nobody hears of it before it is known to be the model of most nodes. Then the log loses what came before
// the snapshot before it, and the servers lose the pieces of those before that one. Used by SharedLog.
// Thread-safety: Copy in the model's thread, Trouble from any, the others in the thread that reads the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/cluster/snapshot.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

class SnapshotMaker {
 public:
  explicit SnapshotMaker(OrderedLog& log) : log_(log) {}
  ~SnapshotMaker() { Stop(); }
  SnapshotMaker(const SnapshotMaker&) = delete;
  SnapshotMaker& operator=(const SnapshotMaker&) = delete;

  // Where the model of `dir` is copied to. A process that was killed leaves it.
  static std::filesystem::path FolderOf(const std::filesystem::path& dir);

  // The model in `dir` as it is now. An error is the model's; if the copy cannot be made, Trouble says so.
  Result<void> Copy(Model& model, Follower& follower, const std::filesystem::path& dir, uint64_t identity,
                    uint64_t maker);
  // The record after which there is a copy that waits; nothing if none does.
  std::optional<uint64_t> copied() const;
  bool is_sending() const { return is_sending_; }
  // Gives the copy that waits to the servers. `newest`: the snapshot that there is. REQUIRES: copied(), and
  // not is_sending().
  void Send(const std::optional<SnapshotNote>& newest);
  // Removes the copy that waits.
  void Discard();

  // To be called with the newest snapshot that the servers have: one that another node made after the record
  // of an attempt that failed, or a later one, takes its place.
  void Meet(const SnapshotNote& newest);
  // Why the last one could not be made, or what it replaces not be removed; empty if it could, or another
  // node made it.
  std::string Trouble() const;
  // Ends what is being sent.
  void Stop();

 private:
  void SendAll(const SnapshotNote& note, const std::optional<SnapshotNote>& newest);
  void NoteAttempt(uint64_t maker, uint64_t record, std::string trouble);

  OrderedLog& log_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> is_sending_ = false;
  std::filesystem::path folder_;  // written by Copy, while nobody reads it
  mutable std::mutex mutex_;      // of what follows
  std::optional<SnapshotNote> copied_;
  std::string trouble_;     // of the last attempt:
  uint64_t attempted_ = 0;  // after this record,
  uint64_t attempter_ = 0;  // by this node
  std::thread sender_;
};

}  // namespace thresher::pipeline
