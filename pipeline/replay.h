// A TREC-style corpus replayed online: each message classified, then learned, in the order of its index.
//
// Called by the replay command and by tests. Tokenising runs on many threads, learning strictly in order, so
// the outcomes and the model are the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model.h"
#include "pipeline/stress.h"
#include "pipeline/verdict.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct ReplayOptions {
  size_t threads = 1;
  tokenizer::Kind kind = tokenizer::Kind::kMail;
  Thresholds thresholds;
  Feedback feedback = Feedback::kAll;
  bool personal = false;         // each message also counts as that of the user its entry names
  bool stop_at_missing = false;  // else a message that cannot be read is reported and passed over
  uint64_t size_every = 0;       // examples after which the model's size is noted; 0: never
  std::function<void(uint64_t)> on_progress = {};  // entries of the index done so far; may be empty
};

// One classified line of the index.
struct ReplayedMessage {
  size_t line;  // index into TrecIndex::entries
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

// How many weights were not zero after so many taught examples.
struct ModelSizePoint {
  uint64_t examples = 0;
  uint64_t nonzeros = 0;
};

struct ReplayReport {
  uint64_t classified = 0;
  uint64_t taught = 0;
  uint64_t updated = 0;    // taught examples that changed the weights
  uint64_t truncated = 0;  // messages cut by a limit
  uint64_t bytes = 0;
  uint64_t features = 0;
  std::vector<std::string> unreadable;  // "INDEX:LINE: PATH: reason"
  std::vector<CurvePoint> curve;        // of all checkpoints but the one at the end
  std::vector<ModelSizePoint> sizes;    // every options.size_every examples
};

// Calls on_classified in order. Ends with a checkpoint, also after an error.
Result<ReplayReport> Replay(Model& model, const TrecIndex& index, const ReplayOptions& options,
                            const std::function<void(const ReplayedMessage&)>& on_classified);

}  // namespace thresher::pipeline
