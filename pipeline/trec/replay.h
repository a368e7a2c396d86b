// Replays a TREC-style corpus online: each message is classified, then learned, in the order of the index.
//
// Called by experiments and by tests. Several threads tokenise, learning is strictly in order: outcomes and
// model are the same bits for any number of threads. Thread-safety: one thread calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model/model.h"
#include "pipeline/trec/interrupts.h"
#include "pipeline/trec/stress.h"
#include "pipeline/verdict.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct ReplayOptions {
  size_t threads = 1;
  tokenizer::Kind kind = tokenizer::Kind::kMail;
  Thresholds thresholds;
  Feedback feedback = Feedback::kAll;
  double self_train = 0;                   // least probability of a verdict that is taught as it is; 0: none
  bool personal = false;                   // uses the features of the user that the entry names, too
  bool stop_at_missing = false;            // otherwise a message that cannot be read is reported and skipped
  uint64_t size_every = 0;                 // examples between two records of the model's size; 0: none
  const Interrupts* interrupts = nullptr;  // the replay ends with an error when one is pending
  std::function<void(uint64_t)> on_progress = {};  // entries of the index done so far; may be empty
};

// One classified line of the index.
struct ReplayedMessage {
  size_t entry;  // index into TrecIndex::entries
  Score score;
  bool judged_spam;
  Verdict verdict;
};

// The model at one of its checkpoints.
struct CurvePoint {
  uint64_t examples = 0;  // taught until then
  uint64_t classified = 0;
  uint64_t nonzeros = 0;
  double l1_norm = 0;
  uint64_t stored_rows = 0;
};

// The number of non-zero weights after so many taught examples.
struct ModelSizePoint {
  uint64_t examples = 0;
  uint64_t nonzeros = 0;
};

struct ReplayReport {
  uint64_t classified = 0;
  uint64_t unsure_ham = 0;  // of them, by their true label
  uint64_t unsure_spam = 0;
  uint64_t taught = 0;
  uint64_t updated = 0;      // taught examples that changed the weights
  uint64_t self_taught = 0;  // messages without feedback, with the label of their verdict; not in `taught`
  uint64_t self_wrong = 0;   // of them
  uint64_t entries = 0;      // of the index, that could be read; below, what they have in sum
  uint64_t bytes = 0;
  uint64_t features = 0;
  std::vector<uint64_t> truncated;      // lines of the index with messages that a limit cut
  std::vector<std::string> unreadable;  // "INDEX:LINE: PATH: reason"
  std::vector<CurvePoint> curve;        // of all checkpoints except the last
  std::vector<ModelSizePoint> sizes;    // every options.size_every examples
};

// Calls on_classified in order. Makes a checkpoint at the end, also after an error.
Result<ReplayReport> Replay(Model& model, const TrecIndex& index, const ReplayOptions& options,
                            const std::function<void(const ReplayedMessage&)>& on_classified);

}  // namespace thresher::pipeline
