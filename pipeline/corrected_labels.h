// What to teach where a log is applied again as if nobody had erred: each message once, in its first place,
// under the label it was taught last.
//
// Used by Model::Rebuild. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "storage/example_log.h"

namespace thresher::pipeline {

inline learners::Label LabelOf(const storage::Example& example) {
  return example.label > 0 ? learners::Label::kSpam : learners::Label::kHam;
}

class CorrectedLabels {
 public:
  // `log` must outlive it and not grow.
  explicit CorrectedLabels(const storage::ExampleLog& log) : log_(&log) {}

  // The label that the message of `example` was taught last.
  Result<learners::Label> LastOf(const storage::Example& example) const;

  // What to teach in the place of `example`; nothing where its message was taught before. Asked for each
  // example of the log, in order.
  Result<std::optional<learners::Label>> InPlaceOf(const storage::Example& example);

 private:
  Result<storage::Example> Last(const storage::Example& example) const;

  const storage::ExampleLog* log_;
  std::unordered_set<uint64_t> taught_;  // of messages that come more than once: their last examples
};

}  // namespace thresher::pipeline
