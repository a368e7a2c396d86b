#include "pipeline/model/score.h"

#include "pipeline/model/globals.h"

namespace thresher::pipeline {

Score ScoreOf(const learners::Learner& learner, const learners::SparseVector& x,
              std::span<const std::byte* const> rows, const ModelGlobals& globals) {
  const double margin = learner.Score(x, rows, globals.learner());
  return {margin, globals.facts().Probability(margin, globals.rehearses())};
}

}  // namespace thresher::pipeline
