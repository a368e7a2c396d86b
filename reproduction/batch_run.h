// Batch solvers and online learners over the same data set, traced on the same axis: data accesses, entries
// of the matrix read.
//
// Used by the experiments that compare them. Thread-safety: a matrix may be shared, runs are on their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "learners/batch/solvers.h"
#include "learners/registry.h"
#include "reproduction/report.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

// A data set by rows and by columns, as batch solvers want it. The data set must outlive it and stay as it
// is.
class Matrix {
 public:
  explicit Matrix(const DataSet& data);

  learners::batch::Examples examples() const;

 private:
  const DataSet& data_;
  std::vector<uint64_t> starts_;  // of columns
  std::vector<uint32_t> indices_;
  std::vector<float> values_;
};

// What a run did; x is data accesses.
struct Trace {
  Series objective;
  Series gap;
  Series nonzeros;
  Series epochs;                // of solvers
  std::vector<double> weights;  // at the end

  Trace& Named(const std::string& name);
};

// Until `accesses` have been made, or the gap is below `gap`. `seed` is for random orders.
struct RunLimit {
  double accesses = 0;
  double gap = 0;
  size_t points = 200;  // that are recorded, at most and about
};
Trace RunSolver(std::string_view solver, const learners::OptionValues& options, const Matrix& matrix,
                const RunLimit& limit, uint64_t seed = 1);

// An online learner on examples drawn at random, logistic loss, its objective with λ‖w‖₁ at each point. Its
// trace has no gap.
Trace RunLearner(std::string_view learner, const learners::OptionValues& options, const DataSet& data,
                 double lambda, const RunLimit& limit, uint64_t seed = 1);

// (1/m) Σ log(1 + exp(−y⟨w,x⟩)) + λ‖w‖₁
double L1LogisticObjective(const DataSet& data, const std::vector<double>& weights, double lambda);

// The last y at or before x; the first where there is none.
double ValueAt(const Series& series, double x);

}  // namespace thresher::reproduction
