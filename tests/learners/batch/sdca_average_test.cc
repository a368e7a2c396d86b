// SDCA's averaged result, beside the plain average of the iterates of a dual ascent written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

constexpr double kAverageL2 = 0.05;
constexpr size_t kFeatures = 12;

// Squared loss in cyclic order: α_i ← (y − a + qα_i)/(1 + q), q = ‖x_i‖²/(λn).
class PlainAscent {
 public:
  explicit PlainAscent(const Examples& examples)
      : examples_(examples), alpha_(examples.rows.size()), w_(kFeatures), sum_(kFeatures) {}

  void Epoch() {
    for (size_t i = 0; i < alpha_.size(); ++i) {
      const SparseLines::Line x = examples_.rows[i];
      double margin = 0;
      double squares = 0;
      for (size_t k = 0; k < x.size(); ++k) {
        const auto value = static_cast<double>(x.values[k]);
        margin += w_[x.indices[k]] * value;
        squares += value * value;
      }
      const double unit = 1 / (kAverageL2 * static_cast<double>(alpha_.size()));
      const double next = (examples_.Target(i) - margin + squares * unit * alpha_[i]) / (1 + squares * unit);
      for (size_t k = 0; k < x.size(); ++k) {
        w_[x.indices[k]] += (next - alpha_[i]) * unit * static_cast<double>(x.values[k]);
      }
      alpha_[i] = next;
      for (size_t j = 0; j < w_.size(); ++j) sum_[j] += w_[j];
      ++steps_;
    }
  }
  void Restart() {
    sum_.assign(sum_.size(), 0);
    steps_ = 0;
  }
  double Average(size_t j) const { return sum_[j] / static_cast<double>(steps_); }

 private:
  Examples examples_;
  std::vector<double> alpha_;
  std::vector<double> w_;
  std::vector<double> sum_;
  size_t steps_ = 0;
};

const OptionValues kAveraged = {{"loss", "squared"}, {"l2", "0.05"}, {"order", "cyclic"}, {"average", "on"}};

TEST(SdcaAverage, IsTheMeanOfTheIteratesOfTheLastEpochs) {
  const SmallProblem problem = SmallProblem::Random(3, 40, kFeatures);
  const auto solver = Make("sdca", kAveraged, problem.View());
  PlainAscent plain(problem.View());
  for (int epoch = 0; epoch < 20; ++epoch) {
    if (epoch == 1 || epoch == 2 || epoch == 4 || epoch == 8 || epoch == 16) plain.Restart();
    solver->Step();
    plain.Epoch();
    const std::vector<double> weights = WeightsOf(*solver);
    for (size_t j = 0; j < kFeatures; ++j) ASSERT_NEAR(weights[j], plain.Average(j), 1e-12) << epoch;
    // Reports between the steps change nothing, and the gap is that of the averaged α.
    EXPECT_GE(solver->Report().gap, -1e-12);
  }
  EXPECT_LT(solver->Report().gap, 1e-4);
}

// A resumed run has the same average, also with l1, shrinking and the other norm.
TEST(SdcaAverage, SurvivesARestart) {
  for (const char* const norm : {"l2", "low-linf"}) {
    const Case each = {.solver = "sdca",
                       .options = {{"loss", "hinge"}, {"l1", "0.01"}, {"norm", norm}, {"average", "on"}}};
    const SmallProblem problem = SmallProblem::Random(4, 40, kFeatures);
    const auto straight = Make(each.solver, each.options, problem.View());
    for (int epoch = 0; epoch < 5; ++epoch) straight->Step();
    const auto resumed = Resumed(*straight, each, problem.View());
    for (int epoch = 0; epoch < 6; ++epoch) {
      straight->Step();
      resumed->Step();
    }
    EXPECT_EQ(WeightsOf(*straight), WeightsOf(*resumed));
    EXPECT_EQ(straight->Report().gap, resumed->Report().gap);
    EXPECT_GE(straight->Report().gap, -1e-12);
  }
}

TEST(SdcaAverage, LeavesTheStepsAsTheyAre) {
  const SmallProblem problem = SmallProblem::Random(5, 40, kFeatures);
  OptionValues plain = kAveraged;
  plain["average"] = "off";
  const auto averaged = Make("sdca", kAveraged, problem.View());
  const auto last = Make("sdca", plain, problem.View());
  for (int epoch = 0; epoch < 10; ++epoch) {
    averaged->Step();
    averaged->Report();
    last->Step();
  }
  const std::vector<std::span<double>> ours = averaged->Memory();
  const std::vector<std::span<double>> theirs = last->Memory();
  for (const size_t part : {0U, 1U}) {  // α and v
    EXPECT_TRUE(std::ranges::equal(ours[part], theirs[part]));
  }
}

}  // namespace
}  // namespace thresher::learners::batch
