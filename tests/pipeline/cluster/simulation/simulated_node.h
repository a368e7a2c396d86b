// A node in virtual time: what pipeline/serve/shared_log does in its threads, one step at a time, with the
// model, outbox, follower, digests and snapshots of a real one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/membership.h"
#include "pipeline/cluster/nodes.h"
#include "pipeline/cluster/outbox.h"
#include "pipeline/cluster/shared_identity.h"
#include "pipeline/cluster/snapshot.h"
#include "pipeline/cluster/snapshot_taker.h"
#include "pipeline/cluster/snapshot_turn.h"
#include "pipeline/settings/settings.h"
#include "tests/pipeline/cluster/simulation/simulated_servers.h"

namespace thresher::pipeline {

// A defect that a simulation must find.
enum class Planted {
  kNothing,
  kForgetsAuthors,    // a node does not know any more which operations it has applied
  kAllForgetAuthors,  // all nodes do not, so that their models are equal
  kSwapsRecords,      // a node reads records in another order
  kLosesOutbox,       // the outbox is gone when a node begins again
  kGivesWrongModel,   // a node with another model than most gives it to others without comparing it
};

class SimulatedNode {
 public:
  struct Options {
    uint64_t id = 0;  // its number as an author
    uint64_t digest_every = 0;
    uint64_t snapshot_every = 0;
    Planted planted = Planted::kNothing;  // in this node
  };
  SimulatedNode(std::filesystem::path dir, const Options& options, SimulatedServers& servers);

  // Begins as a daemon does; false if it cannot yet.
  bool Start();
  // Only what is on disk is left.
  void Kill();
  bool is_running() const { return model_ != nullptr; }

  // What a user teaches; its author and number are filled in. False: refused.
  bool Submit(Operation* operation);

  enum class Pace { kAtOnce, kNothingNew, kLater, kDied };
  // A step of the thread that reads. die_after: it is killed when it has applied so many of the records.
  Pace Read(std::optional<uint64_t> die_after);
  // A step of the thread that publishes.
  Pace Publish();

  // Its model learns what is in no log.
  void Damage(const Operation& operation);
  bool is_damaged() const { return is_damaged_; }  // until another model takes its place

  // The digests that were made since this was called last.
  std::vector<ModelDigest> NewDigests();
  uint64_t position() const { return follower_->position(); }
  bool has_all_published() const { return outbox_->empty(); }
  Model& model() { return *model_; }
  const SharedIdentity& identity() const { return identity_; }
  // Why it does not follow; empty if it does.
  const std::string& trouble() const { return differs_.empty() ? trouble_ : differs_; }

  struct Counts {
    uint64_t applied = 0, duplicates = 0, foreign = 0, given = 0, taken = 0, found_to_differ = 0;
  };
  const Counts& counts() const { return counts_; }

  SimulatedLink link;

 private:
  NodeEntry OwnEntry() const;
  void Meet();
  void StepOfSnapshot(const NodeEntry& own, const std::vector<NodeEntry>& nodes, const Comparison& compared);
  void Copy();
  void Give(const std::optional<SnapshotNote>& newest);
  void TakeSnapshot(uint64_t least);
  void PutInPlace();
  Result<void> Begin(Result<Member> member);
  Pace ApplyAll(const std::vector<LogRecord>& records, std::optional<uint64_t> die_after);
  void ForgetAuthors();
  Pace Fail(const Error& error);

  std::filesystem::path dir_;
  Options options_;
  SimulatedServers& servers_;
  Settings settings_;
  std::filesystem::path copy_;  // of the model, for others

  // Lost when it is killed.
  std::unique_ptr<Model> model_;
  std::unique_ptr<Outbox> outbox_;
  std::optional<Follower> follower_;
  std::unique_ptr<SnapshotTaker> taker_;
  SharedIdentity identity_;
  bool is_checked_ = false;
  std::string trouble_;
  std::string differs_;
  uint64_t last_ = 0;
  std::optional<int64_t> met_us_;
  uint64_t met_record_ = 0;
  size_t met_nodes_ = 0;
  std::optional<uint64_t> renewed_;
  uint64_t wants_ = 0;
  std::optional<SnapshotNote> copied_;
  int64_t copy_again_us_ = 0;
  int64_t take_again_us_ = 0;

  // Of the simulation.
  bool is_damaged_ = false;
  uint64_t digest_seen_ = 0;
  Counts counts_;
};

}  // namespace thresher::pipeline
