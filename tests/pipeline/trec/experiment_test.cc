// The run of a cross-validation is the sum of its folds.
#include "pipeline/trec/experiment.h"

#include <gtest/gtest.h>

#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

namespace thresher::pipeline {
namespace {

TEST(ExperimentTest, CrossValidationCountsWhatEachFoldTaughtItself) {
  constexpr uint64_t kFolds = 2;
  const TestDirectory directory;
  const auto index = ReadTrecIndex(WriteSmallCorpus(directory, 40));
  ASSERT_TRUE(index.has_value());
  const Settings settings;
  ReplayOptions options;
  options.self_train = 0.6;
  uint64_t self_taught = 0;
  for (uint64_t fold = 0; fold < kFolds; ++fold) {
    const auto alone = RunExperiment({settings, Fold(*index, kFolds, fold), 0, options}, nullptr);
    ASSERT_TRUE(alone.has_value()) << alone.error().message;
    EXPECT_GT(alone->report.self_taught, 0U);
    self_taught += alone->report.self_taught;
  }
  const auto all = RunExperiment({settings, *index, kFolds, options}, nullptr);
  ASSERT_TRUE(all.has_value()) << all.error().message;
  EXPECT_EQ(all->report.self_taught, self_taught);
}

// Wrong verdicts, taught: all messages are judged as the other class is taught.
TEST(ExperimentTest, CrossValidationCountsWhatWasWrong) {
  const TestDirectory directory;
  auto index = ReadTrecIndex(WriteSmallCorpus(directory, 40));
  ASSERT_TRUE(index.has_value());
  for (TrecEntry& entry : index->entries) entry.taught_spam = !entry.is_spam;
  ReplayOptions options;
  options.self_train = 0.6;
  const auto all = RunExperiment({Settings(), *index, 2, options}, nullptr);
  ASSERT_TRUE(all.has_value()) << all.error().message;
  EXPECT_GT(all->report.self_taught, 0U);
  EXPECT_EQ(all->report.self_wrong, all->report.self_taught);
}

}  // namespace
}  // namespace thresher::pipeline
