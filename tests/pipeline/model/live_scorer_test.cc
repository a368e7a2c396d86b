// Scores that threads read while a model learns: each score is, to the bit, that of the model after some
// number of examples, as a model in one thread gives it.
#include "pipeline/model/live_scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>

#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/learners/test_model.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/model/onlookers.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using learners::Example;
using tokenizer::Features;

// Options under which rare events happen within a few hundred examples.
struct Case {
  const char* name;
  const char* learner;
  learners::OptionValues options;
};
const learners::OptionValues kFading = {{"learning_rate", "1"}, {"l2", "0.9"}, {"min_gradient", "0"}};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

// Without a database, so that ThreadSanitizer sees all synchronisation.
class LiveScorerTest : public testing::TestWithParam<Case> {
 protected:
  LiveScorerTest()
      : learner_(*learners::MakeLearner(GetParam().learner, GetParam().options)),
        live_(ModelIdentity{{}, 1, learner_, {}, {}}),
        model_(learner_) {}

  // Some features occur in many examples; most occur once, so that the tables grow.
  static Example ExampleNumber(uint64_t i) {
    std::mt19937_64 random(i);
    Example example;
    example.label = i % 3 == 0 ? learners::Label::kSpam : learners::Label::kHam;
    for (uint64_t each = 0; each < 20; ++each) example.ids.push_back(each * 10 + random() % 10);
    for (uint64_t each = 0; each < 80; ++each) example.ids.push_back(random() | 1024);
    for (size_t each = 0; each < example.ids.size(); ++each)
      example.values.push_back(0.05F * static_cast<float>(1 + random() % 3));
    return example;
  }
  static std::vector<Example> Probes() {
    std::vector<Example> probes;
    for (uint64_t i = 0; i < 400; i += 37) probes.push_back(ExampleNumber(i));
    return probes;
  }

  std::vector<Score> Scores() const {
    const ModelGlobals globals = Globals();
    std::vector<Score> scores;
    for (const Example& probe : Probes()) {
      const double margin = model_.Score(probe);
      scores.push_back({margin, globals.facts().calibration.Probability(margin)});
    }
    return scores;
  }

  // The globals of a model that has learned both classes.
  ModelGlobals Globals() const {
    ModelGlobals globals(*learner_);
    globals.facts().taught.streamed = 1;
    std::copy(model_.globals().begin(), model_.globals().end(), globals.learner().begin());
    return globals;
  }

  void Learn(const Example& example) {
    const int rebases = model_.rebases();
    model_.Learn(example);
    if (model_.rebases() > rebases) return Replace();
    std::vector<const std::byte*> rows;
    for (const uint64_t id : example.ids) rows.push_back(model_.rows().at(id).data());
    live_.Put(example.ids, rows, model_.globals());
  }

  void Replace() {
    const auto all = [this](const auto& visit) {
      for (const auto& [id, row] : model_.rows()) visit(id, row.data());
    };
    live_.Replace(learner_, all, model_.globals());
  }

  std::shared_ptr<const learners::Learner> learner_;
  LiveScorer live_;
  learners::TestModel model_;
};

std::vector<Features> AsFeatures(const std::vector<Example>& examples) {
  std::vector<Features> messages(examples.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    messages[i].ids = examples[i].ids;
    messages[i].values = examples[i].values;
  }
  return messages;
}

TEST_P(LiveScorerTest, EveryScoreIsThatOfOneModel) {
  constexpr uint64_t kExamples = 400;
  Expected expected = {Scores()};
  {
    learners::TestModel twin = model_;
    std::swap(twin, model_);
    for (uint64_t i = 0; i < kExamples; ++i) {
      model_.Learn(ExampleNumber(i));
      expected.push_back(Scores());
    }
    std::swap(twin, model_);
  }
  ASSERT_NE(expected[10][0].margin, expected[11][0].margin);

  live_.Publish(Globals(), 0);
  const std::vector<Features> messages = AsFeatures(Probes());
  Onlookers onlookers(live_, messages, expected);
  for (uint64_t i = 0; i < kExamples; ++i) {
    Learn(ExampleNumber(i));
    if (i % 50 == 49) Replace();
    live_.Publish(Globals(), i + 1);
    if (i % 16 == 0) onlookers.AwaitRound();
  }
  onlookers.AwaitRound();
  EXPECT_EQ(onlookers.wrong(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Learners, LiveScorerTest,
                         testing::Values(Case{"ftrl", "ftrl", {}}, Case{"lazy_sgd", "lazy-sgd", {}},
                                         Case{"fading", "lazy-sgd", kFading}, Case{"l1_ball", "l1-ball", {}}),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Rows whose weight has become 0 are removed in time.
TEST(LiveScorerMemoryTest, IsThatOfNonZeroWeights) {
  const std::shared_ptr<const learners::Learner> learner =
      *learners::MakeLearner("lazy-sgd", {{"learning_rate", "1"}, {"l1", "0.02"}, {"min_gradient", "0"}});
  learners::TestModel model(learner);
  LiveScorer live(ModelIdentity{{}, 1, learner, {}, {}});
  LiveScorer::Reader reader(live);
  ModelGlobals globals(*learner);
  constexpr uint64_t kExamples = 600;
  constexpr uint64_t kEach = 200;
  for (uint64_t i = 0; i < kExamples; ++i) {
    Example example;
    example.label = i % 2 == 0 ? learners::Label::kSpam : learners::Label::kHam;
    for (uint64_t id = 0; id < kEach; ++id) example.ids.push_back((i * kEach + id) * 0x9E3779B97F4A7C15U);
    example.values.assign(kEach, 0.1F);
    model.Learn(example);
    std::vector<const std::byte*> rows;
    for (const uint64_t id : example.ids) rows.push_back(model.rows().at(id).data());
    live.Put(example.ids, rows, model.globals());
    std::copy(model.globals().begin(), model.globals().end(), globals.learner().begin());
    live.Publish(globals, i + 1);
    ASSERT_EQ(reader.Classify(AsFeatures({example})[0])->margin, model.Score(example));
    ASSERT_NE(model.Score(example), 0);
  }
  const size_t one_copy_of_all = kExamples * kEach * (sizeof(uint64_t) + learner->RowBytes());
  EXPECT_LT(live.memory_bytes(), one_copy_of_all);
}

class LiveModelTest : public testing::TestWithParam<Case> {
 protected:
  static constexpr int kExamples = 300;

  // With memory_bytes 1 the model drops all rows from memory at each checkpoint.
  std::unique_ptr<Model> Open(const std::string& name, const Case& as, size_t memory_bytes) {
    Settings settings;
    settings.learner = as.learner;
    settings.learner_options = as.options;
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    access.model.checkpoint.every = 70;
    access.model.checkpoint.memory_bytes = memory_bytes;
    auto model = OpenOrCreateModel(directory_ / name, settings, access);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return *std::move(model);
  }

  static Features FeaturesOf(const Model& model, int i) {
    Features features;
    const std::string message = i % 3 == 0 ? SpamMessage(i) : HamMessage(i);
    model.identity().MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
    return features;
  }

  static std::vector<Features> Messages(const Model& model) {
    std::vector<Features> messages;
    for (int i = 0; i < 2 * kExamples; i += 61) messages.push_back(FeaturesOf(model, i));
    return messages;
  }

  // In runs of one class, so that earlier examples are rehearsed: an additional step before the next version.
  static void Learn(Model& model, int i) {
    const int number = i / 10 % 2 == 0 ? 3 * i : 3 * i + 1;
    const auto learned = model.Learn(FeaturesOf(model, number), {std::to_string(i), ""},
                                     {i / 10 % 2 == 0 ? Label::kSpam : Label::kHam, Evidence::kStream});
    ASSERT_TRUE(learned.has_value()) << learned.error().message;
  }

  static std::vector<Score> Scores(Model& model) {
    std::vector<Score> scores;
    for (const Features& message : Messages(model)) scores.push_back(model.Classify(message).value());
    return scores;
  }

  TestDirectory directory_;
};

TEST_P(LiveModelTest, EveryScoreIsThatOfTheModelAfterSomeExample) {
  Expected expected;
  {
    const auto twin = Open("twin", GetParam(), 0);
    expected.push_back(Scores(*twin));
    for (int i = 0; i < kExamples; ++i) {
      Learn(*twin, i);
      expected.push_back(Scores(*twin));
    }
  }
  auto model = Open("model", GetParam(), 1);
  for (int i = 0; i < 50; ++i) Learn(*model, i);
  const auto live = model->MakeLiveScorer().value();
  EXPECT_EQ(model->MakeLiveScorer().value(), live);
  const std::vector<Features> messages = Messages(*model);
  Onlookers onlookers(*live, messages, expected);
  for (int i = 50; i < kExamples; ++i) {
    Learn(*model, i);
    if (i % 16 == 0) onlookers.AwaitRound();
  }
  LiveScorer::Reader reader(*live);
  EXPECT_EQ(reader.Classify(messages[0])->margin, expected.back()[0].margin);  // sees all that was learned
  EXPECT_EQ(reader.applied_seq(), static_cast<uint64_t>(kExamples));
  model.reset();
  onlookers.AwaitRound();
  EXPECT_EQ(onlookers.wrong(), 0U);
}

// Rebuilds with another learner, whose rows have another size.
TEST_P(LiveModelTest, ReadersSeeARebuiltModelAtOnce) {
  const auto model = Open("model", GetParam(), 1);
  auto other =
      learners::MakeLearner(std::string_view(GetParam().learner) == "ftrl" ? "lazy-fobos" : "eg", {});
  ASSERT_NE((*other)->RowBytes(), model->identity().learner->RowBytes());
  for (int i = 0; i < 60; ++i) Learn(*model, i);
  const std::vector<Score> before = Scores(*model);
  const std::vector<Features> messages = Messages(*model);
  const auto live = model->MakeLiveScorer().value();

  std::atomic<bool> rebuilt = false;
  std::vector<double> seen;
  std::thread onlooker([&] {
    LiveScorer::Reader reader(*live);
    for (bool last = false; !last;) {
      last = rebuilt;
      const double margin = reader.Classify(messages[0])->margin;
      if (seen.empty() || seen.back() != margin) seen.push_back(margin);
    }
  });
  const auto done = model->Rebuild(*std::move(other), {}, LabelsToLearn::kAsTaught, nullptr);
  rebuilt = true;
  onlooker.join();
  ASSERT_TRUE(done.has_value()) << done.error().message;

  const std::vector<Score> after = Scores(*model);
  ASSERT_NE(after[0].margin, before[0].margin);
  seen.insert(seen.begin(), before[0].margin);  // the onlooker may have started too late to see it
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(seen, (std::vector<double>{before[0].margin, after[0].margin}));

  Learn(*model, 60);
  LiveScorer::Reader reader(*live);
  EXPECT_EQ(reader.Classify(messages[0])->margin, model->Classify(messages[0])->margin);
}

INSTANTIATE_TEST_SUITE_P(Learners, LiveModelTest,
                         testing::Values(Case{"ftrl", "ftrl", {}}, Case{"lazy_sgd", "lazy-sgd", {}},
                                         Case{"fading", "lazy-sgd", kFading}, Case{"l1_ball", "l1-ball", {}}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace thresher::pipeline
