// The shrinking of SDCA: it leaves out examples for a while and still reaches the same minimum.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/learners/batch/small_problem.h"
#include "tests/learners/batch/solver_cases.h"

namespace thresher::learners::batch {
namespace {

std::vector<Case> CasesWithCorners(const char* shrinking) {
  std::vector<Case> all;
  for (const char* loss : {"hinge", "smoothed-hinge", "absolute"}) {
    for (const char* order : {"permuted", "sampled", "cyclic"}) {
      for (const char* l1 : {"0", "0.01"}) {
        all.push_back(
            {.solver = "sdca",
             .options = {
                 {"loss", loss}, {"order", order}, {"l1", l1}, {"l2", "0.01"}, {"shrinking", shrinking}}});
      }
    }
  }
  return all;
}

TEST(SdcaShrinking, ReachesTheSameMinimumWithLessWork) {
  const SmallProblem problem = SmallProblem::Random(11, 400, 12);
  const std::vector<Case> with = CasesWithCorners("on");
  const std::vector<Case> without = CasesWithCorners("off");
  for (size_t k = 0; k < with.size(); ++k) {
    SCOPED_TRACE(Name(with[k]));
    std::vector<Progress> ends;
    for (const Case& each : {with[k], without[k]}) {
      const auto solver = Make(each.solver, each.options, problem.View());
      for (int epoch = 0; epoch < 20000 && solver->Report().gap > 1e-8; ++epoch) solver->Step();
      ends.push_back(solver->Report());
    }
    EXPECT_LE(ends[0].gap, 1e-8);
    EXPECT_NEAR(ends[0].primal, ends[1].primal, 1e-8);
    EXPECT_LT(ends[0].data_accesses, ends[1].data_accesses);
  }
}

TEST(SdcaShrinking, ResumesToTheBit) {
  const SmallProblem problem = SmallProblem::Random(12, 400, 12);
  for (const Case& each : CasesWithCorners("on")) {
    SCOPED_TRACE(Name(each));
    const auto whole = Make(each.solver, each.options, problem.View());
    auto resumed = Make(each.solver, each.options, problem.View());
    bool was_any_left_out = false;
    for (int i = 0; i < 12; ++i) {
      whole->Step();
      resumed->Step();
      resumed = Resumed(*resumed, each, problem.View());
      const auto memory = resumed->Memory();
      was_any_left_out = was_any_left_out || std::ranges::count(memory[2], 1.0) > 0;
    }
    EXPECT_TRUE(was_any_left_out);
    EXPECT_EQ(WeightsOf(*whole), WeightsOf(*resumed));
    EXPECT_EQ(whole->Report().data_accesses, resumed->Report().data_accesses);
  }
}

}  // namespace
}  // namespace thresher::learners::batch
