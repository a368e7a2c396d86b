// Other learners read the same features that the model was taught.
#include "pipeline/export/example_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "pipeline/export/flat_object.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;
using Taught = std::map<std::string, float>;  // by text

constexpr int kMessages = 60;

struct Line {
  std::string label;
  std::string tag;
  std::vector<uint64_t> numbers;
  std::vector<float> values;
};

// Parses both formats in the way of a reader: words, and numbers before colons.
Line Parse(const std::string& text) {
  Line line;
  std::istringstream words(text);
  words >> line.label;
  for (std::string word; words >> word;) {
    if (word.front() == '\'') line.tag = word.substr(1);
    const size_t colon = word.find(':');
    if (colon == std::string::npos) continue;
    line.numbers.push_back(std::stoull(word.substr(0, colon)));
    line.values.push_back(std::stof(word.substr(colon + 1)));
  }
  return line;
}

class ExampleTextTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.features.values = tokenizer::ValueScheme::kLogCount;  // values other than 0 and 1
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    const auto model = OpenOrCreateModel(directory_ / "model", settings_, access);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    for (int i = 0; i < kMessages; ++i) {
      tokenizer::Features features;
      (*model)->identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      const auto learned = (*model)->Learn(features, {"id|a:b c'" + std::to_string(i) + "\xff", "digest"},
                                           {i % 3 == 0 ? Label::kSpam : Label::kHam, Evidence::kStream});
      ASSERT_TRUE(learned.has_value()) << learned.error().message;
      Taught& taught = taught_.emplace_back();
      for (size_t f = 0; f < features.size(); ++f) {
        const bool is_ngram = tokenizer::IdSpace::IsNgram(features.ids[f]);
        const std::string text = is_ngram ? (*model)->identity().MakeIdSpace().NgramText(features.ids[f])
                                          : std::string(features.Text(f));
        taught[text] = features.values[f];
      }
    }
  }

  std::vector<Line> Export(ExampleForm form) {
    std::vector<Line> lines;
    texts_.clear();
    const auto done = ExportExamples(
        directory_ / "model", settings_, form,
        [&](std::string_view line) { lines.push_back(Parse(std::string(line))); },
        [&](std::string_view line) {
          const auto object = FlatObject::Parse(line);
          ASSERT_TRUE(object.has_value());
          EXPECT_EQ(object->Unsigned("number"), texts_.size() + 1);
          texts_.push_back(object->Text("text").value());
        });
    EXPECT_TRUE(done.has_value()) << done.error().message;
    return lines;
  }
  void ExpectAsTaught(const std::vector<Line>& lines) const {
    ASSERT_EQ(lines.size(), size_t{kMessages});
    for (size_t i = 0; i < lines.size(); ++i) {
      Taught read;
      for (size_t f = 0; f < lines[i].numbers.size(); ++f) {
        read[texts_.at(lines[i].numbers[f] - 1)] = lines[i].values[f];
      }
      EXPECT_EQ(read, taught_[i]);  // to the bit
    }
  }

  TestDirectory directory_;
  Settings settings_;
  std::vector<Taught> taught_;
  std::vector<std::string> texts_;  // of numbers from 1
};

TEST_F(ExampleTextTest, Libsvm) {
  const std::vector<Line> lines = Export(ExampleForm::kLibsvm);
  ExpectAsTaught(lines);
  EXPECT_EQ(lines[0].label, "+1");
  EXPECT_EQ(lines[1].label, "-1");
  for (const Line& line : lines) {
    EXPECT_TRUE(std::is_sorted(line.numbers.begin(), line.numbers.end(), std::less_equal<>()));
    EXPECT_GE(line.numbers.front(), 1U);
  }
}

TEST_F(ExampleTextTest, Vw) {
  const std::vector<Line> lines = Export(ExampleForm::kVw);
  ExpectAsTaught(lines);
  EXPECT_EQ(lines[0].label, "1");
  EXPECT_EQ(lines[1].label, "-1");
  EXPECT_EQ(lines[0].tag, "id%7Ca%3Ab%20c%270%FF/digest");
  // The first example keeps its order, so its features have the numbers 1, 2, ….
  for (size_t f = 0; f < lines[0].numbers.size(); ++f) EXPECT_EQ(lines[0].numbers[f], f + 1);
}

// A dense perceptron: each of its steps depends on every bit of its input.
std::vector<double> Perceptron(const std::vector<std::map<size_t, float>>& examples) {
  std::vector<double> weights(100000);
  for (size_t i = 0; i < examples.size(); ++i) {
    double margin = 0;
    for (const auto& [feature, value] : examples[i]) margin += weights[feature] * static_cast<double>(value);
    const double side = i % 3 == 0 ? 1 : -1;
    if (margin * side > 1) continue;
    for (const auto& [feature, value] : examples[i]) weights[feature] += side * static_cast<double>(value);
  }
  return weights;
}

TEST_F(ExampleTextTest, AnotherLearnerLearnsTheSame) {
  const std::vector<Line> lines = Export(ExampleForm::kLibsvm);
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < texts_.size(); ++i) numbers[texts_[i]] = i + 1;
  ASSERT_EQ(numbers.size(), texts_.size());
  std::vector<std::map<size_t, float>> read;
  std::vector<std::map<size_t, float>> taught;
  for (size_t i = 0; i < lines.size(); ++i) {
    auto& from_text = read.emplace_back();
    for (size_t f = 0; f < lines[i].numbers.size(); ++f) from_text[lines[i].numbers[f]] = lines[i].values[f];
    auto& from_mail = taught.emplace_back();
    for (const auto& [text, value] : taught_[i]) from_mail[numbers.at(text)] = value;
  }
  const auto weights = Perceptron(read);
  EXPECT_EQ(weights, Perceptron(taught));
  EXPECT_NE(weights, std::vector<double>(weights.size()));
}

TEST_F(ExampleTextTest, TheCommand) {
  const std::string store = directory_.path().string();
  const Ran vw = RunThresher(
      {"export", "--store", store, "--model", "model", "--examples", "vw", "--ids", directory_ / "ids"});
  EXPECT_EQ(vw.exit_code, 0) << vw.err;
  EXPECT_THAT(vw.out, StartsWith("1 'id%7Ca%3Ab%20c%270%FF/digest |f 1:"));
  EXPECT_THAT(ReadBytes(directory_ / "ids"), StartsWith("{\"number\":1,\"id\":\""));
  EXPECT_EQ(fs::status(directory_ / "ids").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  // Also if it is there already.
  const std::string before = directory_.Write("before", "old");
  fs::permissions(before, fs::perms::owner_write | fs::perms::owner_read | fs::perms::others_read);
  EXPECT_EQ(RunThresher({"export", "--store", store, "--model", "model", "--out", before}).exit_code, 0);
  EXPECT_EQ(fs::status(before).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(RunThresher({"export", "--store", store, "--examples", "arff"}).exit_code, 64);
  EXPECT_EQ(RunThresher({"export", "--store", store, "--ids", "x"}).exit_code, 64);
}

}  // namespace
}  // namespace thresher::pipeline
