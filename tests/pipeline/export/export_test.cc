// An exported and imported model is the same model, whatever its texts are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "learners/registry.h"
#include "pipeline/export/flat_object.h"
#include "pipeline/model/model.h"
#include "tests/pipeline/export/exported_model.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// Without the times of learning, which differ between models of the same weights.
std::vector<std::string> RowsAndGlobals(const std::string& text) {
  std::vector<std::string> lines = LinesOf(text);
  std::erase_if(lines, [](const std::string& line) {
    return !line.starts_with("{\"id\"") && !line.starts_with("{\"applied\"");
  });
  return lines;
}

class ExportLearnerTest : public ExportTest, public testing::WithParamInterface<std::string> {
 protected:
  ExportLearnerTest() { settings_.learner = GetParam(); }
};

TEST_P(ExportLearnerTest, TheImportedModelIsTheSame) {
  {
    const auto model = OpenToTeach(Whole(), settings_);
    TeachNumbered(*model, 0, 70);
    ASSERT_TRUE(model->Checkpoint().has_value());
    TeachNumbered(*model, 70, 80);  // they are only in the log
  }
  const std::string exported = ExportOf(Whole(), settings_);
  const auto imported = Import(exported);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(imported->examples, 80U);
  EXPECT_EQ(ExportOf(Copy(), settings_), exported);
  for (const bool rebuild : {false, true}) {
    const auto original = OpenToTeach(Whole(), settings_);
    const auto copy = OpenToTeach(Copy(), settings_);
    if (rebuild) {
      for (Model* model : {original.get(), copy.get()}) {
        auto learner = learners::RestoreLearner(model->identity().learner->Name(),
                                                model->identity().learner->OptionsText());
        ASSERT_TRUE(model->Rebuild(*std::move(learner), {}, LabelsToLearn::kAsTaught, nullptr).has_value());
      }
    }
    EXPECT_EQ(TeachNumbered(*original, 80, 120), TeachNumbered(*copy, 80, 120));
    ASSERT_TRUE(original->Checkpoint().has_value());
    ASSERT_TRUE(copy->Checkpoint().has_value());
    EXPECT_EQ(RowsAndGlobals(ExportOf(Whole(), settings_)), RowsAndGlobals(ExportOf(Copy(), settings_)));
  }
}

std::vector<std::string> Learners() {
  std::vector<std::string> names;
  for (const auto& spec : learners::AllLearners()) names.emplace_back(spec.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Learners, ExportLearnerTest, testing::ValuesIn(Learners()), [](const auto& learner) {
  std::string name = learner.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_F(ExportTest, OfANewModel) {
  OpenToTeach(Whole(), settings_).reset();
  const std::string exported = ExportOf(Whole(), settings_);
  ASSERT_TRUE(Import(exported).has_value());
  EXPECT_EQ(ExportOf(Copy(), settings_), exported);
}

TEST_F(ExportTest, OfALearnerThatTheConfigurationDoesNotName) {
  settings_.learner = "lazy-sgd";
  TeachNumbered(*OpenToTeach(Whole(), settings_), 0, 20);
  const std::string exported = ExportOf(Whole(), settings_);
  settings_ = Settings();
  ASSERT_TRUE(Import(exported).has_value());
  EXPECT_EQ(ExportOf(Copy(), settings_), exported);
}

TEST_F(ExportTest, AnyBytesAreTexts) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 12, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : random() % 128);
    if (i % 3 == 0) bytes += "\xe5\x9e\x83\xe5\x9c\xbe";
    nlohmann::ordered_json written;
    SetText("text", bytes, &written);
    const std::string line = LineOf(written);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto object = FlatObject::Parse(line);
    ASSERT_TRUE(object.has_value()) << line;
    EXPECT_EQ(object->Text("text"), bytes);
  }
}

TEST_F(ExportTest, NumbersAreExact) {
  for (const int64_t number : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(FlatObject::Parse(LineOf({{"n", number}}))->Signed("n"), number);
  }
  const auto object = FlatObject::Parse(LineOf({{"n", UINT64_MAX}}));
  EXPECT_EQ(object->Unsigned("n"), UINT64_MAX);
  EXPECT_EQ(object->Signed("n"), std::nullopt);
}

TEST_F(ExportTest, OnlyFlatObjectsAreLines) {
  const std::string deep(1 << 20, '[');
  for (const std::string& line :
       std::vector<std::string>{"", "1", "[]", "null", "{", "{}{}", R"({"a":{}})", R"({"a":[]})",
                                R"({"a":true})", R"({"a":null})", R"({"a":1,"a":1})", R"({"a":1e999})",
                                "{\"a\":\"\xff\"}", R"({"a":NaN})", deep, "{\"a\":" + deep}) {
    EXPECT_FALSE(FlatObject::Parse(line).has_value()) << line.substr(0, 40);
  }
  EXPECT_EQ(FlatObject::Parse(R"({"a_hex":"0"})")->Text("a"), std::nullopt);
  EXPECT_EQ(FlatObject::Parse(R"({"a_hex":"0G"})")->Text("a"), std::nullopt);
  EXPECT_EQ(FlatObject::Parse(R"({"a":"","a_hex":""})")->Text("a"), std::nullopt);
}

}  // namespace
}  // namespace thresher::pipeline
