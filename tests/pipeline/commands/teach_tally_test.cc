// What `learn` and `feedback` say of many messages.
#include "pipeline/commands/teach_tally.h"

#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

TEST(TeachTallyTest, RareResultsAreToldOnlyIfThereAreAny) {
  TeachTally tally;
  EXPECT_EQ(tally.Text(), "0 learned, 0 corrected, 0 known already");
  tally.Add(TeachResult::kWaiting);
  tally.Add(TeachResult::kCorrected);
  tally.Add(TeachResult::kCorrected);
  EXPECT_EQ(tally.Text(), "0 learned, 2 corrected, 0 known already, 1 kept until the shared log has them");
}

// `learn` judges as many of the log's last examples as it learned (Teacher::WhatIsDoubtful).
TEST(TeachTallyTest, WhatIsLearnedAgainWithOtherHeadersIsLearned) {
  TeachTally tally;
  for (const TeachResult result : {TeachResult::kNew, TeachResult::kCorrected, TeachResult::kChanged,
                                   TeachResult::kKnown, TeachResult::kWaiting}) {
    tally.Add(result);
  }
  EXPECT_EQ(tally.Learned(), 3U);
}

}  // namespace
}  // namespace thresher::pipeline
