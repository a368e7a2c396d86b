// Projected and exponentiated gradient on the ball ‖w‖₁ ≤ z, with true gradients or those of some examples
// drawn at random: what Duchi, Shalev-Shwartz, Singer & Chandra (2008), Sec. 7, compare.
//
// Dense and plain. Used by the experiments of their Fig. 4–6. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/batch/margin_loss.h"
#include "reproduction/batch_run.h"
#include "reproduction/sets/data_set.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {

struct BallMethod {
  enum class Kind { kProjected, kExponentiated };
  Kind kind = Kind::kProjected;
  size_t batch = 0;      // examples a gradient is taken from; 0: all
  StepSizes sizes = {};  // η0 of η_t = η0/√t that are tried first; the one that ends lowest counts
};

struct BallProblem {
  const DataSet& data;
  learners::batch::MarginLoss loss;
  double radius = 0;
};

// (1/m) Σ φ(⟨w,x_i⟩, y_i).
double MeanLoss(const BallProblem& problem, const std::vector<double>& weights);

// The objective is the mean loss. Accesses are two for each entry of the examples used, and for each step one
// for each weight, all of which it changes and projects.
Tuned<Trace> RunBall(const BallProblem& problem, const BallMethod& method, const RunLimit& limit);

}  // namespace thresher::reproduction
