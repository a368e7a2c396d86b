// The run of a cross-validation is the sum of its folds.
#include "pipeline/trec/experiment.h"

#include <gtest/gtest.h>

#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

namespace thresher::pipeline {
namespace {

// Each message is taught as the other class, so that there are wrong verdicts to be taught.
TEST(ExperimentTest, CrossValidationCountsWhatEachFoldTaughtItself) {
  constexpr uint64_t kFolds = 2;
  const TestDirectory directory;
  auto index = ReadTrecIndex(WriteSmallCorpus(directory, 40));
  ASSERT_TRUE(index.has_value());
  for (TrecEntry& entry : index->entries) entry.taught_spam = !entry.is_spam;
  const Settings settings;
  ReplayOptions options;
  options.self_train = 0.6;
  uint64_t self_taught = 0;
  uint64_t self_wrong = 0;
  for (uint64_t fold = 0; fold < kFolds; ++fold) {
    const auto alone = RunExperiment({settings, Fold(*index, kFolds, fold), 0, options}, nullptr);
    ASSERT_TRUE(alone.has_value()) << alone.error().message;
    EXPECT_GT(alone->report.self_wrong, 0U);
    self_taught += alone->report.self_taught;
    self_wrong += alone->report.self_wrong;
  }
  const auto all = RunExperiment({settings, *index, kFolds, options}, nullptr);
  ASSERT_TRUE(all.has_value()) << all.error().message;
  EXPECT_EQ(all->report.self_taught, self_taught);
  EXPECT_EQ(all->report.self_wrong, self_wrong);
}

}  // namespace
}  // namespace thresher::pipeline
