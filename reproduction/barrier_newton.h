// The interior-point method that Duchi et al. compare with: min (1/m) Σ φ(⟨w,x_i⟩, y_i) + λ‖w‖₁ by truncated
// Newton steps on a log barrier, as in Kim, Koh, Lustig, Boyd & Gorinevsky (2007) and Koh, Kim & Boyd (2007).
//
//   min t(f(w) + λ Σ u_j) − Σ log(u_j² − w_j²),   −u < w < u,  t growing
//
// u is eliminated from the Newton system; the rest is solved by conjugate gradients with a diagonal
// preconditioner.
//
// Used by ball_synthetic.cc. Thread-safety: a pure function.
#pragma once

#include "learners/batch/margin_loss.h"
#include "reproduction/batch_run.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

// Returns the penalised objective and its duality gap over data accesses (entries of x read). REQUIRES: a
// loss with curvature (logistic or squared).
Trace RunBarrierNewton(const Matrix& matrix, const learners::batch::MarginLoss& loss, double lambda,
                       const RunLimit& limit);

}  // namespace thresher::reproduction
