#include "pipeline/model/score.h"

#include "pipeline/model/globals.h"

namespace thresher::pipeline {

Score ScoreOf(const learners::Learner& learner, const learners::SparseVector& x,
              std::span<const std::byte* const> rows, const ModelGlobals& globals) {
  return ScoreOf(learner.Score(x, rows, globals.learner()), globals);
}

Score ScoreOf(double margin, const ModelGlobals& globals) {
  const ModelGlobals::Facts& facts = globals.facts();
  return {margin, facts.Probability(margin, globals.rehearses()), facts.taught.CanTell()};
}

}  // namespace thresher::pipeline
