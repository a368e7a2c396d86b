// Runs batch solvers and online learners on the same data set, and records their progress over the same axis:
// data accesses, entries of the matrix read.
//
// Used by the experiments that compare them. Thread-safety: a matrix may be shared; each run is independent.
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

// A data set by rows and by columns, as batch solvers need it. REQUIRES: the data set outlives it and does
// not change.
class Matrix {
 public:
  explicit Matrix(const DataSet& data);

  learners::batch::Examples examples() const;

 private:
  const DataSet& data_;
  std::vector<uint64_t> starts_;  // where each column starts
  std::vector<uint32_t> indices_;
  std::vector<float> values_;
};

// What a run recorded, over data accesses (x).
struct Trace {
  Series objective;
  Series gap;
  Series nonzeros;
  Series l1_norm;
  Series epochs;                // of solvers only
  std::vector<double> weights;  // at the end

  Trace& Named(const std::string& name);
};

// A run ends after `accesses` data accesses, or when the duality gap is at most `gap`.
struct RunLimit {
  double accesses = 0;
  double gap = 0;
  size_t points = 200;  // about how many are recorded
  // They are at equal ratios from 1/1000 of `accesses` on, instead of at equal distances.
  bool early_points = false;
};

// Says when to record a point. Thread-safety: serves one thread.
class RecordClock {
 public:
  explicit RecordClock(const RunLimit& limit);
  bool IsDue(double accesses);

 private:
  double every_;
  double ratio_;  // 1: equal distances
  double next_ = 0;
};

// `seed` determines random orders.
Trace RunSolver(std::string_view solver, const learners::OptionValues& options, const Matrix& matrix,
                const RunLimit& limit, uint64_t seed = 1);

// Runs an online learner with logistic loss on examples drawn at random. The objective recorded is
// L1LogisticObjective; the gap is not a number.
Trace RunLearner(std::string_view learner, const learners::OptionValues& options, const DataSet& data,
                 double lambda, const RunLimit& limit, uint64_t seed = 1);

// The options of scd for Algorithm 2 as Shalev-Shwartz & Tewari (2009) print it, or with the curvature of
// each column; and those of detcd for its steps.
enum class CurvatureBound { kOne, kOfColumn };
learners::OptionValues ScdAsDrawn(CurvatureBound bound, double lambda);
learners::OptionValues DetCdOptions(CurvatureBound bound, double lambda);

// Where the logistic loss with λ‖w‖₁ is least, to a gap of `gap`.
struct KnownMinimum {
  double objective = 0;  // its lower bound
  double l1_norm = 0;
  double squared_norm = 0;
};
KnownMinimum FindMinimum(const Matrix& matrix, double lambda, double gap);

// (1/m) Σ log(1 + exp(−y⟨w,x⟩)) + λ‖w‖₁
double L1LogisticObjective(const DataSet& data, const std::vector<double>& weights, double lambda);

// The last y at or before x; the first y if there is none.
double ValueAt(const Series& series, double x);

}  // namespace thresher::reproduction
