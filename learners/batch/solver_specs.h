// The list of batch solvers: one line for each, naming the function that its file defines.
//
// Used by solvers.cc and by the solvers' files. Thread-safety: pure functions.
#pragma once

#include "learners/batch/solvers.h"

#define THRESHER_SOLVERS(SOLVER) \
  SOLVER(AcceleratedSdca)        \
  SOLVER(Agd)                    \
  SOLVER(Asdca)                  \
  SOLVER(DetCd)                  \
  SOLVER(Fista)                  \
  SOLVER(FrankWolfe)             \
  SOLVER(InteriorPoint)          \
  SOLVER(MulticlassLogistic)     \
  SOLVER(MulticlassSdca)         \
  SOLVER(ProjectedGradient)      \
  SOLVER(ProxNewton)             \
  SOLVER(Scd)                    \
  SOLVER(Sdca)                   \
  SOLVER(Sgd)

namespace thresher::learners::batch {

#define THRESHER_DECLARE(Name) SolverSpec Name();
THRESHER_SOLVERS(THRESHER_DECLARE)
#undef THRESHER_DECLARE

}  // namespace thresher::learners::batch
