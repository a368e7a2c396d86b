// The limit on the bytes of what is rehearsed and of what waits, with messages of all sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "pipeline/export/model_export.h"
#include "pipeline/export/model_import.h"
#include "pipeline/opening/agreement.h"
#include "storage/example_log.h"
#include "storage/walk.h"
#include "tests/pipeline/model/model_fixture.h"
#include "tests/pipeline/model/rehearsing_twin.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

class RehearsalBytesTest : public ModelFixture {
 protected:
  // Of 6,000 to 48,000 bytes (RehearsedBytes), on average 13,000.
  static Features OfAnySize(const Model& model, int i) {
    std::string message = MessageNumber(i);
    std::mt19937 random(static_cast<unsigned>(i));
    const auto words = random() % 3 == 0 ? random() % 400 : random() % 20;
    for (size_t word = 0; word < words; ++word) message += "word" + std::to_string(word) + " ";
    Features features;
    model.identity().MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
    return features;
  }
  // Some labels are wrong, so that mistrust matters. Returns the margin before it was learned.
  static double Teach(Model& model, int i, Evidence evidence, RehearsingTwin* twin = nullptr) {
    const Features features = OfAnySize(model, i);
    const Label label = i < 90 || i % 13 != 5 ? LabelNumber(i) : Label::kSpam;
    const int turns = evidence == Evidence::kArchive ? i % 4 : 1;
    const auto learned = model.Learn(features, {"message" + std::to_string(i), ""},
                                     {label, evidence, static_cast<uint8_t>(turns)});
    EXPECT_TRUE(learned.has_value()) << learned.error().message;
    if (twin != nullptr) {
      EXPECT_EQ(learned->before.margin, twin->Learn(features, label, evidence, turns)) << i;
    }
    return learned->before.margin;
  }
  // 90 messages of which those of one class come first, then some of both.
  static std::vector<int> OneClassFirst() {
    std::vector<int> numbers(200);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::stable_partition(numbers.begin(), numbers.begin() + 90,
                          [](int i) { return LabelNumber(i) == Label::kHam; });
    return numbers;
  }
  std::unique_ptr<Model> TeachAll(const std::string& name, Evidence evidence) {
    auto model = Open(name);
    for (const int i : OneClassFirst()) Teach(*model, i, evidence);
    return model;
  }
  void Copy(const std::string& from, const std::string& to) const {
    std::filesystem::copy(directory_ / from, directory_ / to, std::filesystem::copy_options::recursive);
  }
  uint64_t BytesKept(const std::string& name) const {
    const auto database = storage::Database::OpenForReading(directory_ / name);
    EXPECT_TRUE(database.has_value());
    uint64_t bytes = 0;
    const auto walked = storage::WalkKeptExamples(**database, [&](const storage::StoredExample& stored) {
      bytes += storage::LoggedBytes(*stored.example);
      return true;
    });
    EXPECT_TRUE(walked.has_value());
    return bytes;
  }

  static constexpr Evidence kEvidences[] = {Evidence::kStream, Evidence::kArchive, Evidence::kReply};
};

// Half of the smallest limit is less than one message; the largest limit binds nothing.
TEST_P(RehearsalBytesTest, IsThatOfATwinThatKeepsAllExamples) {
  for (const uint64_t bytes : {5'000U, 60'000U, 4'000'000U}) {
    settings_.rehearsal = {.draws = 4, .memory = 30, .bytes = bytes, .mistrust = 0.5};
    for (const Evidence evidence : kEvidences) {
      SCOPED_TRACE(std::to_string(bytes) + " " + std::to_string(static_cast<int>(evidence)));
      const auto model = Open(std::to_string(bytes) + "-" + std::to_string(static_cast<int>(evidence)));
      RehearsingTwin twin(GetParam(), settings_.rehearsal);
      for (const int i : OneClassFirst()) Teach(*model, i, evidence, &twin);
      if (HasFailure()) return;
    }
  }
}

TEST_P(RehearsalBytesTest, InterruptionsAndARebuildChangeNoBit) {
  settings_.rehearsal = {.draws = 4, .memory = 100, .bytes = 150'000};
  for (const Evidence evidence : kEvidences) {
    const std::string name = std::to_string(static_cast<int>(evidence));
    Open(name).reset();
    Copy(name, name + "-interrupted");  // of the same seed
    const auto reference = TeachAll(name, evidence);
    auto interrupted = Open(name + "-interrupted", 17);
    int taught = 0;
    for (const int i : OneClassFirst()) {
      Teach(*interrupted, i, evidence);
      if (++taught % 11 != 0) continue;
      interrupted.reset();
      interrupted = Open(name + "-interrupted", 17);
    }
    const std::string digest = reference->Digest().value();
    EXPECT_EQ(interrupted->Digest().value(), digest);
    auto learner = learners::MakeLearner(GetParam(), {});
    ASSERT_TRUE(
        interrupted->Rebuild(*std::move(learner), settings_.rehearsal, LabelsToLearn::kAsTaught, nullptr)
            .has_value());
    EXPECT_EQ(WeightsOf(*interrupted), WeightsOf(*reference));
    if (evidence == Evidence::kReply) continue;
    // Without the limit it would be another model.
    learner = learners::MakeLearner(GetParam(), {});
    ASSERT_TRUE(interrupted
                    ->Rebuild(*std::move(learner), {.draws = 4, .memory = 100, .bytes = 0},
                              LabelsToLearn::kAsTaught, nullptr)
                    .has_value());
    EXPECT_NE(WeightsOf(*interrupted), WeightsOf(*reference));
  }
}

TEST_P(RehearsalBytesTest, AnExportHasItAndExpiredExamplesKeepToIt) {
  keep_.bytes = 30'000;  // examples expire with numbers 256 and 512
  settings_.rehearsal = {.draws = 4, .memory = 1000, .bytes = 200'000};
  const auto teach = [&](Model& model, int from, int to) {
    std::vector<double> margins;
    for (int i = from; i < to; ++i) margins.push_back(Teach(model, i, Evidence::kStream));
    EXPECT_TRUE(model.Checkpoint().has_value());
    return margins;
  };
  teach(*Open("limited"), 0, 520);
  const auto limited = BytesKept("limited");
  EXPECT_GT(limited, 0U);
  EXPECT_LE(limited, settings_.rehearsal.bytes);

  std::string lines;
  const auto add = [&](std::string_view line) { lines += line; };
  ASSERT_TRUE(ExportModel(directory_ / "limited", settings_, add).has_value());
  const auto imported = ImportModel(directory_.Write("export", lines), directory_ / "copy", settings_);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_GT(imported->kept, 0U);
  const auto model = Open("limited");
  const auto copy = Open("copy");
  EXPECT_EQ(teach(*model, 520, 580), teach(*copy, 520, 580));
  EXPECT_EQ(model->Digest().value(), copy->Digest().value());

  settings_.rehearsal.bytes = 0;
  teach(*Open("unlimited"), 0, 520);
  EXPECT_GT(BytesKept("unlimited"), 2 * limited);
}

TEST_P(RehearsalBytesTest, AreTheSameForALogOfMessages) {
  settings_.rehearsal = {.draws = 4, .memory = 100, .bytes = 150'000};
  const auto features = Open("features");
  settings_.log_holds = kLogOfMessages;
  auto messages = Open("messages", 17);
  int taught = 0;
  for (const int i : OneClassFirst()) {
    ASSERT_EQ(Teach(*features, i, Evidence::kArchive), Teach(*messages, i, Evidence::kArchive)) << i;
    if (++taught % 23 != 0) continue;
    messages.reset();
    messages = Open("messages", 17);
  }
  EXPECT_EQ(WeightsOf(*features), WeightsOf(*messages));
}

// As the record of an older release says it: no bytes are counted, stored or limited.
TEST_P(RehearsalBytesTest, AModelOfAnOlderReleaseHasNoLimit) {
  settings_.rehearsal = {.draws = 4, .memory = 30, .bytes = 0, .mistrust = 0.5};
  const auto model = TeachAll("model", Evidence::kArchive);
  ASSERT_TRUE(model->Checkpoint().has_value());
  EXPECT_EQ(NewMeta(settings_).value().at("rehearsal"), "draws=4 memory=30 mistrust=0.5");
  RehearsingTwin twin(GetParam(), {.draws = 4, .memory = 30, .bytes = 1U << 30, .mistrust = 0.5});
  const auto again = Open("again");
  for (const int i : OneClassFirst()) Teach(*again, i, Evidence::kArchive, &twin);
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*again));
}

// Nor do features that no tokenizer makes: the worst are values that all differ, in runs of one.
TEST(RehearsedBytes, ALogOfFeaturesTakesNoMore) {
  const tokenizer::IdSpace id_space(7);
  std::mt19937 random(5);
  for (const size_t word : {1U, 3U, 8U, 40U, 120U, 200U}) {
    std::string message = "Subject: words\n\n";
    for (int i = 0; i < 2000; ++i) {
      for (size_t at = 0; at < word; ++at) message += static_cast<char>('a' + random() % 26);
      message += i % 8 == 0 ? '\n' : ' ';
    }
    Features made;
    tokenizer::Tokenizer({}, 7).Tokenize(message, tokenizer::Kind::kMail, &made);
    Features others;
    for (size_t i = 0; i < made.size(); ++i) {
      const auto value = static_cast<float>(i + 1);
      const auto text = random() % 2 == 0 ? made.Text(i) : std::string_view();
      others.Add(random() % 4 == 0 ? id_space.Ngram(static_cast<uint32_t>(random())) : made.ids[i], value,
                 text);
    }
    for (const Features* features : {&made, &others}) {
      std::string encoded;
      tokenizer::EncodeFeatures(*features, id_space, &encoded);
      EXPECT_LE(encoded.size(), RehearsedBytes(*features)) << word;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, RehearsalBytesTest, testing::Values("adaptive-ftrl", "lazy-sgd"),
                         NameOfCase);

}  // namespace
}  // namespace thresher::pipeline
