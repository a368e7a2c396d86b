// The log that a daemon's model follows, if it shares one with other machines.
//
// What users teach here goes into the outbox, from there into the log, and comes back with what was taught
// elsewhere: the model learns from the log only. A user is answered when this node has applied it. Cut off
// from the log, or far behind, users are answered when it is on disk here: it is taught later, once.
//
// A node that is behind the beginning of the log, or whose model is another one than that of most, puts the
// newest snapshot in the place of its model; the second once only. One node makes snapshots for all.
//
// A thread of its own reads, from Begin. Another one publishes: it ends when the log has all that was taught,
// and begins again when more is. It publishes nothing before the model has all that the log had: only then is
// it known whether the outbox was restored from an older state. The model is changed by jobs of its thread.
// Made by ModelService. Thread-safety: Open, OnOpen, position and Submit in the model's thread; the others
// from any.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/nodes.h"
#include "pipeline/cluster/operation.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/cluster/outbox.h"
#include "pipeline/cluster/shared_identity.h"
#include "pipeline/cluster/snapshot.h"
#include "pipeline/cluster/snapshot_taker.h"
#include "pipeline/serve/log_figures.h"
#include "pipeline/serve/model_thread.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/snapshot_maker.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

class SharedLog {
 public:
  struct Hooks {
    std::function<void(ModelThread::Job)> post;
    // Each time LogFigures::trouble or differs changes. From any thread.
    std::function<void(const LogFigures&)> on_change;
    // Of how many open models this process follows a log: the more, the less often each meets its other
    // nodes.
    std::shared_ptr<std::atomic<size_t>> followed = std::make_shared<std::atomic<size_t>>(0);
  };
  // `outbox`: its file.
  SharedLog(std::unique_ptr<OrderedLog> log, ClusterSettings settings, std::filesystem::path outbox,
            Hooks hooks);
  ~SharedLog();  // as Stop
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  // Begins both threads. REQUIRES: neither Stop nor Begin was called.
  void Begin();
  bool is_begun() const { return is_begun_; }

  // The model, as ModelThread wants it. `settings` must outlive the call only.
  Result<std::unique_ptr<Model>> Open(const std::filesystem::path& dir, const Settings& settings);
  Result<void> OnOpen(const Model& model);

  // The last record that the model has.
  uint64_t position() const { return follower_->position(); }

  // The last record of the log, which is asked for it. From any thread.
  Result<uint64_t> LastOfLog() const { return log_->Last(); }

  // What became of an operation, once this node has applied it; nothing if it waits for the log. Once, from
  // any thread.
  using OnDone = std::function<void(const Result<std::optional<Follower::Outcome>>&)>;
  // Publishes the operation.
  void Submit(Operation operation, OnDone done);

  LogFigures Figures() const;
  // As this node saw them last, with itself.
  SeenNodes Nodes() const;
  // Waits until all who wait were told and the log has all of it, if it can be reached; as long as users wait
  // at most.
  void Settle();
  // Whether the log has all operations of this node, within this time.
  bool AwaitPublished(std::chrono::milliseconds patience);
  // Ends both threads. Those who still wait are told that their messages will be taught later.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;
  // After a failure of the log it is tried again after so long.
  static constexpr std::chrono::milliseconds kTryLogAgain{500};
  // Whoever waits for something that no other thread tells looks for it so often.
  static constexpr std::chrono::milliseconds kLookForWaiting{100};
  struct Waiting {
    OnDone done;
    Clock::time_point until;
  };
  struct Submitted {
    Operation operation;
    OnDone done;
  };
  struct Told {
    OnDone done;
    Follower::Outcome outcome;
  };

  void Publish();
  enum class Due { kWork, kTidying, kNothing, kStop };
  Due AwaitDue(std::vector<Submitted>* submitted, bool* may_publish);
  void PublishInAThread();
  bool AwaitModel();
  bool OpenOutbox();
  void TakeSubmitted(std::vector<Submitted> submitted);
  void TakeLast();
  bool CheckNumbers();
  bool PublishFront();
  void RemovePublished();
  void TellOverdue(bool all);
  void ReadLog();
  void MeetNodes();
  NodeEntry OwnEntry() const;
  void Remember(std::vector<NodeEntry> nodes, NodeEntry own);
  Result<void> PutOwn(const NodeEntry& own);
  void MakeSnapshot(const NodeEntry& own, const std::vector<NodeEntry>& nodes, const Comparison& compared);
  void CopyModel(uint64_t maker);
  void AskToBegin(const Error& why);
  void TakeSnapshot(uint64_t least, bool differs);
  Result<SnapshotNote> FetchSnapshotFor(uint64_t least, bool differs);
  void PutInPlace(const SnapshotNote& note);
  Result<void> ReplaceModel(const std::filesystem::path& dir);
  static void RemoveLeftovers(const std::filesystem::path& dir);
  bool ReadSome();
  Result<void> NoteLast();
  bool ApplyAll(const std::shared_ptr<std::vector<LogRecord>>& records);
  bool OnApplied(const std::vector<Follower::Outcome>& outcomes);
  void NotePosition();
  bool IsStopping() const;
  void Pause(std::chrono::milliseconds time);
  void Say(std::string* place, const std::string& trouble);
  // With mutex_ held.
  std::string WhyNotFollowed() const;  // empty: what is taught will soon be applied
  LogFigures FiguresNow() const;

  std::unique_ptr<OrderedLog> log_;
  ClusterSettings settings_;
  std::filesystem::path outbox_path_;
  Hooks hooks_;
  std::optional<Follower> follower_;  // of the model's thread
  // The new number under which this node asked for a snapshot to begin with, if it had no outbox; of that
  // thread until it has begun.
  std::optional<uint64_t> newcomer_;
  std::unique_ptr<Outbox> outbox_;     // of the publishing thread, one after the other
  Clock::time_point publish_again_{};  // of that thread: nothing is published before
  SnapshotTaker taker_;
  SnapshotMaker maker_;
  // Of the reading thread.
  Clock::time_point met_{};
  uint64_t met_record_ = 0;
  size_t met_nodes_ = 0;
  std::optional<uint64_t> renewed_;  // NodeEntry, once it is known
  uint64_t wants_ = 0;
  bool check_again_ = false;  // what was agreed upon may have been lost
  Clock::time_point copied_{};

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool stop_ = false;
  bool is_checked_ = false;               // the log is that of our model
  bool are_numbers_checked_ = false;      // the outbox is not older than the log
  bool is_publishing_ = false;            // there is a thread that publishes
  std::optional<SnapshotNote> incoming_;  // it waits to take the place of the model
  std::optional<uint64_t> last_before_;   // the last record before this process published any
  std::optional<SharedIdentity> identity_;
  std::filesystem::path dir_;  // of the model
  Settings model_settings_;
  uint64_t openings_ = 0;
  std::string refused_;      // why it is not
  std::string not_read_;     // why nothing can be read
  std::string not_applied_;  // why what was read cannot be applied
  std::string not_published_;
  std::string not_met_;      // why the nodes cannot be compared
  std::string differs_;      // why nothing is applied any more
  std::string not_renewed_;  // why no snapshot takes the place of the model
  std::string unequal_;      // why the models differ, though nobody can tell which is right
  AppliedRecord at_;
  std::vector<ModelDigest> digests_;
  std::vector<NodeEntry> nodes_;
  Clock::time_point nodes_seen_{};
  LogFigures figures_;
  std::vector<Submitted> submitted_;
  size_t unanswered_ = 0;                // who wait, also while something is done about it
  std::map<uint64_t, Waiting> waiting_;  // by number
  uint64_t author_ = 0;

  bool is_begun_ = false;  // of the thread that made it
  std::thread publisher_;  // made with mutex_ held, unless stop_
  std::thread reader_;
};

}  // namespace thresher::pipeline
