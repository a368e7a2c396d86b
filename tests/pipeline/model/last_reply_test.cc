// What is known of the last reply, and that it is stored with the globals.
#include "pipeline/model/last_reply.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "learners/registry.h"
#include "learners/steps/array_model.h"
#include "pipeline/model/correction.h"
#include "pipeline/model/globals.h"

namespace thresher::pipeline {
namespace {

TEST(LastReplyTest, ItsExcessFadesWithLaterExamples) {
  const LastReply reply{.message = 7, .taught = 400, .excess = 1.5};
  EXPECT_EQ(reply.Left(8, 400), 0);
  EXPECT_EQ(reply.Left(7, 400), 1.5);
  EXPECT_LT(reply.Left(7, 401), 1.5);
  EXPECT_LT(reply.Left(7, 402), reply.Left(7, 401));
  EXPECT_DOUBLE_EQ(reply.Left(7, 405), 0.75);
  EXPECT_EQ(LastReply().Left(0, 0), 0);
}

TEST(LastReplyTest, IsStoredWithTheGlobals) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  for (const bool rehearses : {false, true}) {
    for (const bool contradicts : {false, true}) {
      ModelGlobals globals(*learner);
      if (rehearses) globals.rehearsal().Add(Label::kHam, {.seq = 1, .message = 2}, {.examples = 10});
      if (contradicts) globals.contradictions() = {.flags = 1, .examples = 3};
      ModelGlobals read(*learner);
      const LastReply reply{.message = 1, .taught = 20, .excess = 1.5};
      read.last_reply() = reply;
      ASSERT_TRUE(read.Assign(globals.Stored()));  // as programs wrote that knew none
      EXPECT_EQ(read.last_reply(), LastReply());
      globals.last_reply() = reply;
      ASSERT_TRUE(read.Assign(globals.Stored()));
      EXPECT_EQ(read.last_reply(), reply);
      EXPECT_EQ(read.rehearsal(), globals.rehearsal());
      EXPECT_EQ(read.contradictions(), globals.contradictions());
    }
  }
}

TEST(LastReplyTest, IsNotReadFromWhatNobodyWrote) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  for (const double excess : {-1.0, std::numeric_limits<double>::infinity()}) {
    ModelGlobals globals(*learner);
    globals.last_reply() = {.message = 1, .taught = 20, .excess = excess};
    ModelGlobals read(*learner);
    EXPECT_FALSE(read.Assign(globals.Stored())) << excess;
  }
  LastReply reply{.message = 1, .taught = 20, .excess = 1};
  std::span<const std::byte> none;
  EXPECT_TRUE(reply.TakeFromEnd(&none));
  EXPECT_EQ(reply, LastReply());
}

// A mistake is taken back from features of few examples; what it counted beyond once, from all that are live.
TEST(ValueOfMistakeTest, TheExcessIsTakenFromEveryFeature) {
  learners::ArrayModel<> model(learners::MakeLearner("adaptive-ftrl", {}).value(), 3);
  constexpr float kValue = 0.5;
  const auto learn = [&](uint32_t feature, int times) {
    const std::vector<uint32_t> indices = {feature};
    const std::vector<float> values = {1};
    for (int i = 0; i < times; ++i) model.Learn(indices, values, Label::kSpam, 0, learners::Occasion::kNew);
  };
  learn(0, 2);
  learn(1, 17);
  const auto value_of = [&](uint32_t feature, double excess) {
    return ValueOfMistake(model.learner(), model.RowOf(feature), model.globals(), kValue, excess);
  };
  EXPECT_EQ(value_of(0, 0), kValue / 2);
  EXPECT_EQ(value_of(0, 1.5), kValue / 2 + 1.5F * kValue);
  EXPECT_EQ(value_of(1, 0), 0);
  EXPECT_EQ(value_of(1, 1.5), 1.5F * kValue);
  EXPECT_EQ(value_of(2, 1.5), 0) << "it was never learned";
}

}  // namespace
}  // namespace thresher::pipeline
