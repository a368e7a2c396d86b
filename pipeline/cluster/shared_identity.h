// What all models of a shared log have in common: everything that decides what a record makes of a model.
//
// Agreed upon once, by the first node, and recorded by every node's model (kFollows). Used by membership.h
// and snapshot_taker.h. Thread-safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/model/log_limits.h"
#include "storage/database.h"

namespace thresher::pipeline {

struct SharedIdentity {
  std::string stream;  // name of the log
  storage::Meta meta;  // as a new model records it: tokenizer, features, seed, learner, …, key secret
  LogLimits keep;      // of the examples
  std::string base;    // what the model was before the first record; empty: it was new

  bool operator==(const SharedIdentity&) const = default;
  // One line.
  std::string Text() const;
  // Stands for the text in every record.
  uint64_t Digest() const;
  // The digest as people see it.
  std::string Name() const;
};

// What Text wrote; kData for anything else.
Result<SharedIdentity> ReadSharedIdentity(std::string_view text);

// "learner: ftrl, not adaptive-ftrl; seed": in what `own` differs from `agreed`. Secrets are not shown.
std::string DifferencesOf(const SharedIdentity& agreed, const SharedIdentity& own);

}  // namespace thresher::pipeline
