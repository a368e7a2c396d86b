// What a model does besides learning an example: rehearsal, correction, expiry.
#include "pipeline/model/follow_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "tests/pipeline/model/model_fixture.h"
#include "tests/pipeline/model/rehearsing_twin.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

class FollowUpTest : public ModelFixture {};

// Message numbers sorted by class; every third message is spam.
std::vector<int> SortedByClass(int count, bool spam_first) {
  std::vector<int> numbers;
  for (const bool spam : {spam_first, !spam_first}) {
    for (int i = 0; i < count; ++i) {
      if ((i % 3 == 0) == spam) numbers.push_back(i);
    }
  }
  return numbers;
}

// The class that was taught first is not forgotten during the other.
TEST_P(FollowUpTest, OneClassAfterTheOther) {
  for (const bool spam_first : {false, true}) {
    const auto model = Open(spam_first ? "spam-first" : "ham-first");
    for (const int i : SortedByClass(300, spam_first)) Learn(*model, i, Evidence::kArchive);
    int right = 0;
    for (int i = 300; i < 400; ++i)
      right += (Classify(*model, i).margin > 0) == (LabelNumber(i) == Label::kSpam) ? 1 : 0;
    EXPECT_GE(right, 95) << (spam_first ? "spam first" : "ham first");
  }
}

TEST_P(FollowUpTest, RehearsesAsOneThatKeepsAllExamples) {
  settings_.rehearsal = {.draws = 4, .memory = 30, .mistrust = 0.5};
  for (const Evidence evidence : {Evidence::kStream, Evidence::kArchive, Evidence::kReply}) {
    const auto model = Open("evidence" + std::to_string(static_cast<int>(evidence)));
    RehearsingTwin twin(GetParam(), settings_.rehearsal);
    std::vector<int> numbers = SortedByClass(90, false);
    for (int i = 90; i < 240; ++i) numbers.push_back(i);
    for (const int i : numbers) {
      // Some labels are wrong, so that mistrust matters.
      const Label label = i < 90 || i % 13 != 5 ? LabelNumber(i) : Label::kSpam;
      const int turns = evidence == Evidence::kArchive ? i % 4 : 1;
      const Features features = FeaturesOf(*model, i);
      ASSERT_EQ(LearnAs(*model, i, label, evidence, turns).margin,
                twin.Learn(features, label, evidence, turns))
          << i;
    }
  }
}

// A few replies, even wrong ones, do not carry the class that they were taken from to the other side.
TEST_P(FollowUpTest, MistakesLeaveTheOtherClassWhereItIs) {
  for (const Label wrong : {Label::kSpam, Label::kHam}) {
    const auto model = Open(wrong == Label::kSpam ? "ham-as-spam" : "spam-as-ham");
    for (int i = 0; i < 150; ++i) Learn(*model, i);
    int taught = 0;
    for (int i = 150; taught < 3; ++i) {
      if (LabelNumber(i) == wrong) continue;
      LearnAs(*model, i, wrong, Evidence::kReply);
      ++taught;
    }
    int all = 0;
    int lost = 0;
    for (int i = 200; i < 400; ++i) {
      if (LabelNumber(i) == wrong) continue;
      ++all;
      lost += Classify(*model, i).margin * static_cast<double>(wrong) > 0 ? 1 : 0;
    }
    EXPECT_LT(2 * lost, all);
  }
}

TEST_P(FollowUpTest, InterruptionsChangeNoBitOfARehearsal) {
  for (const Evidence evidence : {Evidence::kStream, Evidence::kArchive}) {
    const std::string name = evidence == Evidence::kStream ? "stream" : "archive";
    const auto reference = Open(name);
    auto interrupted = Open(name + "-interrupted", 17);
    int taught = 0;
    for (const int i : SortedByClass(150, true)) {
      ASSERT_EQ(LearnAs(*reference, i, LabelNumber(i), evidence, i % 3).margin,
                LearnAs(*interrupted, i, LabelNumber(i), evidence, i % 3).margin)
          << i;
      if (++taught % 11 != 0) continue;
      interrupted.reset();
      interrupted = Open(name + "-interrupted", 17);
    }
    EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));
    auto learner = learners::MakeLearner(GetParam(), {});
    ASSERT_TRUE(interrupted->Rebuild(std::move(*learner), {}, LabelsToLearn::kAsTaught, nullptr).has_value());
    EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));
  }
}

// After each interruption the rows lie on disk. The learner's globals, on which weights depend too, move on
// before the rows are needed, and a correction needs those without weight as well.
TEST_P(FollowUpTest, InterruptionsChangeNoBitOfWhatIsTaughtInAnyWay) {
  Open("interrupted").reset();
  std::filesystem::copy(directory_ / "interrupted", directory_ / "reference",
                        std::filesystem::copy_options::recursive);  // of the same seed
  const auto reference = Open("reference");
  auto interrupted = Open("interrupted");
  std::mt19937 random(7);
  std::map<int, Label> taught;
  int corrections = 0;
  for (int step = 0; step < 300; ++step) {
    const int i = static_cast<int>(random() % 90);
    const Label label = random() % 4 == 0 ? OtherClass(LabelNumber(i)) : LabelNumber(i);
    const auto [known, is_new] = taught.try_emplace(i, label);
    if (!is_new && known->second == label) continue;
    known->second = label;
    const bool is_reply = random() % 2 == 0;
    const bool streamed = random() % 3 == 0;
    const Evidence evidence = !is_new    ? Evidence::kCorrection
                              : streamed ? Evidence::kStream
                              : is_reply ? Evidence::kReply
                                         : Evidence::kArchive;
    corrections += evidence == Evidence::kCorrection ? 1 : 0;
    ASSERT_EQ(LearnAs(*reference, i, label, evidence).margin,
              LearnAs(*interrupted, i, label, evidence).margin)
        << step;
    if (random() % 8 != 0) continue;
    if (random() % 2 == 0) {
      ASSERT_TRUE(interrupted->Checkpoint().has_value());
    }
    interrupted.reset();
    interrupted = Open("interrupted");
  }
  EXPECT_GT(corrections, 20);
  EXPECT_EQ(reference->Digest().value(), interrupted->Digest().value());
}

// What waits is in no weight; with the other class all of it is, and no class has moved the weights alone.
TEST_P(FollowUpTest, AnArchiveWaitsForTheOtherClass) {
  for (const bool spam_first : {false, true}) {
    const auto model = Open(spam_first ? "spam-first" : "ham-first");
    const Label first = spam_first ? Label::kSpam : Label::kHam;
    const Label second = spam_first ? Label::kHam : Label::kSpam;
    const auto number = [](Label label, int i) { return label == Label::kSpam ? 3 * i : 3 * i + 1; };
    for (int i = 0; i < 20; ++i) Learn(*model, number(first, i), Evidence::kArchive);
    EXPECT_EQ(model->Inspect().Waiting(first), 20U);
    EXPECT_EQ(WeightsOf(*model), Weights());
    for (int i = 0; i < 20; ++i) Learn(*model, number(second, i), Evidence::kArchive);
    EXPECT_EQ(model->Inspect().Waiting(first), 0U);
    for (int i = 20; i < 60; ++i) {
      EXPECT_GT(Classify(*model, number(Label::kSpam, i)).margin, 0) << i;
      EXPECT_LT(Classify(*model, number(Label::kHam, i)).margin, 0) << i;
    }
  }
}

// A message is taught with a wrong label among others, and then corrected. The tokens that only this message
// has lose the weights that the mistake gave them.
TEST_P(FollowUpTest, ACorrectionTakesTheMistakeBack) {
  // The clock of ftrl must not change all weights just then.
  const std::string learner = GetParam();
  if (learner.ends_with("ftrl")) settings_.learner_options = {{"significance", "0"}, {"warm_up", "0"}};
  const auto model = Open("model");
  for (int i = 0; i < 60; ++i) Learn(*model, i);
  constexpr int kSpam = 63;
  static_assert(kSpam % 3 == 0);
  LearnAs(*model, kSpam, Label::kHam);
  for (int i = 64; i < 120; ++i) Learn(*model, i);

  Features features;
  model->identity().MakeTokenizer().Tokenize(MessageNumber(kSpam), tokenizer::Kind::kMail, &features);
  const std::vector<VocabularyEntry> all = model->Inspect().vocabulary().Lookup(features.ids).value();
  std::vector<uint64_t> its_own;
  double mistaken = 0;
  for (const VocabularyEntry& entry : all) {
    if (entry.counts.ham + entry.counts.spam != 1 || entry.weight >= 0) continue;
    its_own.push_back(entry.id);
    mistaken += entry.weight;
  }
  const double before = Classify(*model, kSpam).margin;
  Learn(*model, kSpam, Evidence::kCorrection);
  EXPECT_GT(Classify(*model, kSpam).margin, before);
  const std::vector<VocabularyEntry> after = model->Inspect().vocabulary().Lookup(its_own).value();
  const double corrected = std::accumulate(after.begin(), after.end(), 0.0,
                                           [](double sum, const auto& entry) { return sum + entry.weight; });
  EXPECT_GE(corrected, mistaken / 2);  // both are 0 where one message is too little evidence for the learner
}

// Otherwise it learns as what was taught by the model's own verdict does.
TEST_P(FollowUpTest, OfWhatStillWaitsACorrectionTakesNothingBack) {
  const auto taught_as = [&](const std::string& name, Evidence evidence) {
    const auto model = Open(name);
    for (int i = 0; i < 5; ++i) LearnAs(*model, 3 * i + 1, Label::kHam, Evidence::kReply);
    for (int i = 5; i < 10; ++i) LearnAs(*model, 3 * i + 1, Label::kHam, Evidence::kArchive);
    EXPECT_EQ(model->Inspect().Waiting(Label::kHam), 5U);
    LearnAs(*model, 3 * 7 + 1, Label::kSpam, evidence);
    EXPECT_EQ(model->Inspect().Waiting(Label::kHam), 3U);  // one had its turn
    return WeightsOf(*model);
  };
  EXPECT_EQ(taught_as("corrected", Evidence::kCorrection), taught_as("self-taught", Evidence::kSelf));
}

// A checkpoint may remove a prunable row, so a correction must not depend on what such a row counted.
TEST_P(FollowUpTest, CheckpointsChangeNoBitOfACorrection) {
  const auto reference = Open("reference");
  const auto checkpointed = Open("checkpointed", 5);
  const auto learn = [&](int i, Label label, Evidence evidence) {
    ASSERT_EQ(LearnAs(*reference, i, label, evidence).margin,
              LearnAs(*checkpointed, i, label, evidence).margin)
        << i;
  };
  constexpr int kCorrectedAfter = 20;
  const auto is_mistaken = [](int i) { return i % 4 == 1; };
  for (int i = 0; i < 150; ++i) {
    const Label right = LabelNumber(i);
    const Label wrong = OtherClass(right);
    learn(i, is_mistaken(i) ? wrong : right, Evidence::kStream);
    const int earlier = i - kCorrectedAfter;
    if (earlier >= 0 && is_mistaken(earlier)) learn(earlier, LabelNumber(earlier), Evidence::kCorrection);
  }
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*checkpointed));
}

TEST_P(FollowUpTest, InterruptionsChangeNoBitWhileTheLogExpires) {
  keep_.bytes = 400000;
  const auto reference = Open("reference");
  auto interrupted = Open("interrupted", 17);
  std::mt19937 random(3);
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(Learn(*reference, InRuns(i)).margin, Learn(*interrupted, InRuns(i)).margin) << i;
    if (random() % 29 == 0) {
      interrupted.reset();
      interrupted = Open("interrupted", 17);
    }
  }
  EXPECT_GT(reference->Inspect().log().expired, 0U);
  EXPECT_LT(reference->Inspect().log().expired, 512U);
  EXPECT_EQ(interrupted->Inspect().log().expired, reference->Inspect().log().expired);
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));

  ASSERT_TRUE(interrupted->Compact().has_value());
  const std::string oldest = "message" + std::to_string(InRuns(0));
  EXPECT_EQ(interrupted->Messages().LabelOf({oldest, ""}).value(), std::nullopt);
  EXPECT_TRUE(interrupted->Messages().KeysOf(oldest).value().empty());
  EXPECT_EQ(interrupted->Messages().LabelOf({"message" + std::to_string(InRuns(599)), ""}).value(),
            Label::kHam);

  // A model can be rebuilt from the rest of the log, and its weights can be read.
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(interrupted->Rebuild(std::move(*learner), {}, LabelsToLearn::kAsTaught, nullptr).has_value());
  EXPECT_GT(WeightsOf(*interrupted).size(), 100U);
  EXPECT_EQ(interrupted->Inspect().Statistics()->log.expired, reference->Inspect().log().expired);
  EXPECT_EQ(interrupted->Inspect().Statistics()->ham + interrupted->Inspect().Statistics()->spam +
                reference->Inspect().log().expired,
            600U);
}

// Teaches message i on a day.
void LearnOnDay(Model& model, int i, int64_t day) {
  constexpr int64_t kDay = int64_t{86400} * 1000 * 1000;
  tokenizer::Features features;
  features.Add(model.identity().MakeIdSpace().Ngram(static_cast<uint32_t>(i % 10)), 1, "");
  const auto learned = model.Learn(features, {"message" + std::to_string(i), ""},
                                   {LabelNumber(i), Evidence::kStream}, {.time_us = (20000 + day) * kDay});
  ASSERT_TRUE(learned.has_value()) << learned.error().message;
}

// After a jump of the clock all examples but the newest are old.
TEST_P(FollowUpTest, AtMostTwoExamplesExpirePerNewExample) {
  keep_.days = 100;
  const auto model = Open("model");
  for (int i = 1; i <= 1535; ++i) LearnOnDay(*model, i, 0);
  EXPECT_EQ(model->Inspect().log().expired, 0U);
  LearnOnDay(*model, 1536, 200);  // examples expire with each 256th
  EXPECT_EQ(model->Inspect().log().expired, 512U);
}

TEST_P(FollowUpTest, ExamplesOfAClockThatWasAheadDoNotKeepOthers) {
  keep_.days = 100;
  for (const int ahead : {10, 600}) {
    const auto model = Open("model" + std::to_string(ahead));
    for (int i = 1; i <= 1536; ++i) LearnOnDay(*model, i, i <= ahead ? 5000 : i <= 1000 ? -200 : 0);
    EXPECT_EQ(model->Inspect().log().expired, 1000U) << ahead;
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, FollowUpTest, SeveralLearners(), NameOfCase);
INSTANTIATE_TEST_SUITE_P(DefaultLearner, FollowUpTest, testing::Values("adaptive-ftrl"), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline
