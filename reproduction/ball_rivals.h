// The methods that Duchi, Shalev-Shwartz, Singer & Chandra (2008), Sec. 7, compare: projected gradient and
// exponentiated gradient on the ball ‖w‖₁ ≤ z. A gradient is computed from all examples or from some drawn at
// random.
//
// Simple implementations, dense but for the projection in the tree. Used by the experiments for Fig. 4–6.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/batch/margin_loss.h"
#include "learners/rule/schedule.h"
#include "reproduction/batch_run.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

struct BallMethod {
  // Projected: by the algorithm in linear time (Fig. 2), which reads all weights, or in the tree (Fig. 3),
  // which reads those that a step changes and a path for each of them.
  enum class Kind { kProjected, kProjectedInTree, kExponentiated };
  Kind kind = Kind::kProjected;
  size_t batch = 0;  // examples per gradient; 0: all of them
};

struct BallProblem {
  const DataSet& data;
  learners::batch::MarginLoss loss;
  double radius = 0;
};

// (1/m) Σ φ(⟨w,x_i⟩, y_i).
double MeanLoss(const BallProblem& problem, const std::vector<double>& weights);

// The objective is the mean loss. A step counts two data accesses for each entry of its examples, and one for
// each feature of theirs: only these weights change but for what all share, as in the learners l1-ball and
// eg. Nodes of the tree are not counted.
Trace RunBall(const BallProblem& problem, const BallMethod& method, const learners::Schedule& schedule,
              const RunLimit& limit);

}  // namespace thresher::reproduction
