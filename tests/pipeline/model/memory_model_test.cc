// The model that the choice of defaults learns with is the model that a store keeps.
#include "bench/choose/memory_model.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "tests/pipeline/model/model_fixture.h"

namespace thresher::pipeline {
namespace {

class MemoryModelTest : public ModelFixture {
 protected:
  // Kept, because the model keeps spans of it.
  bench::Message MessageOf(const tokenizer::Features& features) {
    std::vector<uint32_t>& indices = indices_.emplace_back();
    for (const uint64_t id : features.ids)
      indices.push_back(index_of_.try_emplace(id, static_cast<uint32_t>(index_of_.size())).first->second);
    values_.emplace_back(features.values.begin(), features.values.end());
    return {.indices = indices, .values = values_.back(), .bytes = RehearsedBytes(features)};
  }

  std::map<uint64_t, uint32_t> index_of_;
  std::deque<std::vector<uint32_t>> indices_;
  std::deque<std::vector<float>> values_;
};

TEST_P(MemoryModelTest, LearnsWhatAModelLearns) {
  constexpr size_t kWidth = 1 << 14;
  constexpr int kLater = 300;  // no message comes twice
  settings_.rehearsal = {.draws = 3, .memory = 40, .bytes = 120000, .mistrust = 0.5};
  const auto model = Open("model");
  bench::MemoryModel in_memory(learners::MakeLearner(GetParam(), {}).value(), settings_.rehearsal, kWidth);
  for (int i = 0; i < 300; ++i) {
    // A class alone, then mail as it comes, then mistakes only; some labels are wrong.
    const int number = i < 60 ? 3 * i + 1 : kLater + i;
    const Label label = i % 13 == 5 ? Label::kSpam : LabelNumber(number);
    const Evidence evidence = i < 60 ? Evidence::kArchive : i < 200 ? Evidence::kStream : Evidence::kReply;
    const bench::Message message = MessageOf(FeaturesOf(*model, number));
    ASSERT_LE(index_of_.size(), kWidth);
    const Score stored = LearnAs(*model, number, label, evidence);
    const Score kept = in_memory.Learn(message, label, evidence);
    ASSERT_EQ(stored.margin, kept.margin) << i;
    ASSERT_EQ(stored.probability, kept.probability) << i;
  }
  // Corrections, of which a copy knows nothing.
  bench::MemoryModel copy = in_memory;
  for (const int number : {299, 291, 200}) {
    const Label other = OtherClass(number % 13 == 5 ? Label::kSpam : LabelNumber(number));
    const Score stored = LearnAs(*model, kLater + number, other, Evidence::kCorrection);
    const Score kept = in_memory.Correct(static_cast<size_t>(number), other);
    ASSERT_EQ(stored.margin, kept.margin) << number;
    const bench::Message message = MessageOf(FeaturesOf(*model, kLater + number));
    EXPECT_NE(in_memory.Classify(message).margin, copy.Classify(message).margin) << number;
  }
  EXPECT_EQ(model->Inspect().Statistics()->nonzeros, in_memory.NonZeros());
}

INSTANTIATE_TEST_SUITE_P(Learners, MemoryModelTest, testing::Values("adaptive-ftrl", "ftrl", "lazy-fobos"),
                         NameOfCase);

}  // namespace
}  // namespace thresher::pipeline
