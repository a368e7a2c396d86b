// Which labels the other examples contradict: each example is scored by a learner that was taught only
// others.
//
// A model that was taught a wrong label has learned it, so that its own margin hides the mistake. Here the
// examples are divided into folds, and each fold is scored by a learner that was taught the other folds. This
// is done twice: what the first round contradicts is not taught in the second, so that wrong labels of
// similar messages do not confirm each other. Examples are taught in random order, since after an archive
// that is taught class by class margins lean to the last class. Called by the doubt command. Thread-safety:
// pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/fit/example_store.h"

namespace thresher::pipeline {

inline constexpr uint32_t kDoubtFolds = 5;
inline constexpr uint32_t kDoubtRounds = 2;

// An example whose label is contradicted.
struct Doubt {
  struct Feature {
    uint32_t column;
    double contribution;  // to the margin
  };
  size_t row;                    // of the examples
  double margin;                 // its sign is not that of the label
  std::vector<Feature> against;  // what speaks most against the label, the strongest first
};

// The contradicted examples, the most doubtful first, each with up to `features` features. The same for the
// same examples and learner. Holds one model in memory. on_progress(n), if there is one, is called after the
// nth of size() · kDoubtFolds · kDoubtRounds examples. An error if a class has not one for every fold
// (kData). REQUIRES: targets are ±1.
Result<std::vector<Doubt>> FindDoubts(const ExampleStore& examples,
                                      const std::shared_ptr<const learners::Learner>& learner,
                                      size_t features, const OnProgress& on_progress);

}  // namespace thresher::pipeline
