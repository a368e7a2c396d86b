// Scores some examples of a model's log by a model that is taught only other examples of it.
//
// This shows how the model's own learner judges mail to come. A live model cannot show it on examples that it
// has learned. Called by pipeline/fit. In memory only; what is stored stays as it is. Thread-safety: one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/score.h"
#include "storage/database.h"

namespace thresher::pipeline {

struct PartOfLog {
  std::vector<uint64_t> taught;  // numbers of examples, ascending
  std::vector<uint64_t> scored;
};

// The scores of part.scored by a model of this learner that was taught part.taught, in their order, under
// their labels, with what follows an example (follow_up.h), and nothing else. Holds that model in memory.
// REQUIRES: each number is of an example in the log. `database` is open for reading.
Result<std::vector<Score>> ScoreByPart(std::unique_ptr<storage::Database> database, ModelIdentity identity,
                                       const PartOfLog& part);

// The scores of these examples by the model as it stands, which may have learned them.
Result<std::vector<Score>> ScoreLogged(std::unique_ptr<storage::Database> database, ModelIdentity identity,
                                       std::span<const uint64_t> scored);

}  // namespace thresher::pipeline
