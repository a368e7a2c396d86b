// The list of learners: one line for each, naming the function that its file defines.
//
// Used by registry.cc and by the learners' files. Thread-safety: pure functions.
#pragma once

#include "learners/registry.h"

#define THRESHER_LEARNERS(LEARNER) \
  LEARNER(Adagrad)                 \
  LEARNER(AdaptiveFtrl)            \
  LEARNER(Eg)                      \
  LEARNER(Ftrl)                    \
  LEARNER(InteriorPoint)           \
  LEARNER(L1Ball)                  \
  LEARNER(LazyFobos)               \
  LEARNER(LazySgd)                 \
  LEARNER(Smidas)                  \
  LEARNER(TruncatedGradient)

namespace thresher::learners {

#define THRESHER_DECLARE(Name) LearnerSpec Name();
THRESHER_LEARNERS(THRESHER_DECLARE)
#undef THRESHER_DECLARE

}  // namespace thresher::learners
