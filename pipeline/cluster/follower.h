// Applies the records of a shared log to a model, in their order, each operation once.
//
// How far it is, and what it has of each author, is stored in one step with each example: whatever is killed
// when, no record is lost or applied twice. An operation is known by its author and number; an author's
// numbers ascend in the log, so the last one of each author says which came before. Used by the daemon in the
// model's thread. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipeline/cluster/operation.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

// What became of a record.
enum class Fate {
  kApplied,    // taught, or found to be known; or forgotten
  kDuplicate,  // an operation that came before
  kForeign,    // no operation of this log: skipped, by every node
  kBefore,     // it was applied before: nothing is done
  kGap,        // records before it are missing: nothing is done
  kNewer,      // a newer program wrote it: nothing is done
};

// What the model was after a record.
struct ModelDigest {
  uint64_t record = 0;
  std::string digest;  // Model::Digest

  bool operator==(const ModelDigest&) const = default;
};

class Follower {
 public:
  // `identity`: SharedIdentity::Digest. `digest_every`: a digest is made after each record whose number is a
  // multiple of it, or, where that is another model's, the next one of this; 0: none. A digest takes a pass
  // over all rows.
  Follower(uint64_t identity, uint64_t digest_every) : identity_(identity), digest_every_(digest_every) {}

  // Goes on where the model is.
  Result<void> Resume(const Model& model);
  // The last record that was applied or skipped.
  uint64_t position() const { return position_.record; }
  // The same, and when the log took it.
  const AppliedRecord& at() const { return position_; }
  // The number of the author's last operation; 0 if none is known.
  uint64_t LastNumberOf(uint64_t author) const;
  // The last ones, ascending. They are stored with the model: a copy of it has them, too.
  const std::vector<ModelDigest>& digests() const { return digests_; }

  struct Outcome {
    Fate fate = Fate::kApplied;
    uint64_t author = 0;
    uint64_t number = 0;
    TaughtMessage taught = {};
    Forgotten forgotten = {};
  };
  // An error is the model's: nothing more can be applied to it.
  Result<Outcome> Apply(Model& model, const LogRecord& record);
  // Stores the position behind records that no example came of.
  Result<void> Finish(Model& model);

  // Of so many authors the last number is known. The one that was not heard of for longest leaves.
  static constexpr size_t kMostAuthors = 10000;
  static constexpr size_t kMostDigests = 8;

 private:
  struct Author {
    uint64_t number = 0;  // of the last operation
    uint64_t record = 0;  // that had it
  };

  void Note(const AppliedRecord& position);
  void Hear(uint64_t author, const Author& last);
  Result<Outcome> Do(Model& model, const LogRecord& record);
  Result<void> Teach(Model& model, const Operation& operation, const tokenizer::Features& features,
                     const LogRecord& record, Outcome* outcome);
  Result<void> MakeDigest(Model& model);

  uint64_t identity_;
  uint64_t digest_every_;
  AppliedRecord position_;
  std::map<uint64_t, Author> authors_;
  std::vector<ModelDigest> digests_;
  storage::Notes unstored_;
};

}  // namespace thresher::pipeline
