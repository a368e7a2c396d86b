// An exported and imported model is the same model, whatever its texts are. An incomplete or damaged export
// makes no model.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "learners/registry.h"
#include "pipeline/export/flat_object.h"
#include "pipeline/export/line_digest.h"
#include "pipeline/export/model_export.h"
#include "pipeline/export/model_import.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::unique_ptr<Model> Open(const fs::path& dir, const Settings& settings) {
  WriteAccess access;
  access.durability = storage::Durability::kOs;
  auto model = OpenOrCreateModel(dir, settings, access);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return *std::move(model);
}

// The scores before learning.
std::vector<double> Teach(Model& model, int from, int to) {
  std::vector<double> margins;
  for (int i = from; i < to; ++i) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    const auto learned = model.Learn(features, i % 3 == 0 ? Label::kSpam : Label::kHam,
                                     {fmt::format("message{}\xff", i), "digest"}, Evidence::kStream);
    EXPECT_TRUE(learned.has_value()) << learned.error().message;
    margins.push_back(learned->before.margin);
  }
  return margins;
}

std::string Export(const fs::path& dir, const Settings& settings) {
  std::string lines;
  const auto done = ExportModel(dir, settings, [&](std::string_view line) { lines += line; });
  EXPECT_TRUE(done.has_value()) << done.error().message;
  return lines;
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Without the times of learning, which differ between models of the same weights.
std::vector<std::string> RowsAndGlobals(const std::string& text) {
  std::vector<std::string> lines = Split(text);
  std::erase_if(lines, [](const std::string& line) {
    return !line.starts_with("{\"id\"") && !line.starts_with("{\"applied\"");
  });
  return lines;
}

class ExportTest : public testing::Test {
 protected:
  Result<Imported> Import(const std::string& text) {
    return ImportModel(directory_.Write("export", text), Copy(), settings_);
  }
  fs::path Whole() const { return directory_ / "whole"; }
  fs::path Copy() const { return directory_ / "copy"; }

  TestDirectory directory_;
  Settings settings_;
};

class ExportLearnerTest : public ExportTest, public testing::WithParamInterface<std::string> {
 protected:
  ExportLearnerTest() { settings_.learner = GetParam(); }
};

TEST_P(ExportLearnerTest, TheImportedModelIsTheSame) {
  {
    const auto model = Open(Whole(), settings_);
    Teach(*model, 0, 70);
    ASSERT_TRUE(model->Checkpoint().has_value());
    Teach(*model, 70, 80);  // they are only in the log
  }
  const std::string exported = Export(Whole(), settings_);
  const auto imported = Import(exported);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(imported->examples, 80U);
  EXPECT_EQ(Export(Copy(), settings_), exported);
  for (const bool rebuild : {false, true}) {
    const auto original = Open(Whole(), settings_);
    const auto copy = Open(Copy(), settings_);
    if (rebuild) {
      for (Model* model : {original.get(), copy.get()}) {
        auto learner = learners::RestoreLearner(model->identity().learner->Name(),
                                                model->identity().learner->OptionsText());
        ASSERT_TRUE(model->Rebuild(*std::move(learner), {}, Labels::kAsTaught, nullptr).has_value());
      }
    }
    EXPECT_EQ(Teach(*original, 80, 120), Teach(*copy, 80, 120));
    ASSERT_TRUE(original->Checkpoint().has_value());
    ASSERT_TRUE(copy->Checkpoint().has_value());
    EXPECT_EQ(RowsAndGlobals(Export(Whole(), settings_)), RowsAndGlobals(Export(Copy(), settings_)));
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
  Open(Whole(), settings_).reset();
  const std::string exported = Export(Whole(), settings_);
  ASSERT_TRUE(Import(exported).has_value());
  EXPECT_EQ(Export(Copy(), settings_), exported);
}

TEST_F(ExportTest, OfALearnerThatTheConfigurationDoesNotName) {
  settings_.learner = "lazy-sgd";
  Teach(*Open(Whole(), settings_), 0, 20);
  const std::string exported = Export(Whole(), settings_);
  settings_ = Settings();
  ASSERT_TRUE(Import(exported).has_value());
  EXPECT_EQ(Export(Copy(), settings_), exported);
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

// An export with its parts, and the errors of changed ones.
class HostileExportTest : public ExportTest {
 protected:
  void SetUp() override {
    {
      const auto model = Open(Whole(), settings_);
      Teach(*model, 0, 30);
      ASSERT_TRUE(model->Checkpoint().has_value());
    }
    exported_ = Export(Whole(), settings_);
    lines_ = Split(exported_);
    row_ = IndexOf("{\"id\"");
    example_ = IndexOf("{\"seq\"");
  }
  size_t IndexOf(std::string_view begin) const {
    size_t i = 0;
    while (i < lines_.size() && !lines_[i].starts_with(begin)) ++i;
    return i;
  }
  // The error of importing `text`, which must not make a model.
  std::string Complaint(const std::string& text) {
    const auto imported = Import(text);
    EXPECT_FALSE(imported.has_value());
    EXPECT_FALSE(storage::Database::Exists(Copy()));
    if (imported) return "";
    EXPECT_EQ(imported.error().exit_code, kData) << imported.error().message;
    EXPECT_EQ(imported.error().message.find('\n'), std::string::npos);
    return imported.error().message;
  }
  // The error of the export with `change` applied to its lines and a correct last line.
  template <class Change>
  std::string ComplaintAfter(Change change) {
    std::vector<std::string> lines = lines_;
    lines.pop_back();
    change(lines);
    std::string text;
    LineDigest digest;
    uint64_t rows = 0;
    uint64_t examples = 0;
    for (const std::string& line : lines) {
      digest.Add(line + "\n");
      text += line + "\n";
      rows += line.starts_with("{\"id\"") ? 1 : 0;
      examples += line.starts_with("{\"seq\"") ? 1 : 0;
    }
    text += fmt::format("{{\"rows\":{},\"examples\":{},\"xxh3\":\"{}\"}}\n", rows, examples, digest.Hex());
    return Complaint(text);
  }
  std::string ComplaintAfterReplacing(size_t line, const std::string& what, const std::string& by) {
    return ComplaintAfter([&](std::vector<std::string>& lines) {
      const size_t at = lines[line].find(what);
      ASSERT_NE(at, std::string::npos) << lines[line];
      lines[line].replace(at, what.size(), by);
    });
  }
  // The value of a member of a line.
  std::string Value(size_t line, const std::string& key) const {
    const size_t at = lines_[line].find("\"" + key + "\":\"") + key.size() + 4;
    return lines_[line].substr(at, lines_[line].find('"', at) - at);
  }

  std::string exported_;
  std::vector<std::string> lines_;
  size_t row_ = 0;
  size_t example_ = 0;
};

TEST_F(HostileExportTest, TheLineIsNamed) {
  const std::string named = fmt::format(", line {}: ", row_ + 1);
  EXPECT_THAT(ComplaintAfterReplacing(row_, "\"id\":\"", "\"id\":\"x"), HasSubstr(named + "expected an id"));
  EXPECT_THAT(ComplaintAfterReplacing(row_, "{", "["), HasSubstr(named + "expected a JSON object"));
}

TEST_F(HostileExportTest, OtherFormsAndVersions) {
  EXPECT_THAT(Complaint(""), HasSubstr("line 1: the export ends"));
  EXPECT_THAT(Complaint("From a@b\nSubject: x\n\n"), HasSubstr("line 1: expected a JSON object"));
  EXPECT_THAT(Complaint("{\"a\":1}\n"), HasSubstr("line 1: this is not the export"));
  EXPECT_THAT(ComplaintAfterReplacing(0, "\"version\":2", "\"version\":3"),
              HasSubstr("line 1: the export has version 3, this program reads versions 1 to 2"));
}

TEST_F(HostileExportTest, Rows) {
  const std::string row = Value(row_, "row_hex");
  EXPECT_THAT(ComplaintAfterReplacing(row_, row, row.substr(2)), HasSubstr("its row has 31 bytes, not 32"));
  EXPECT_THAT(ComplaintAfterReplacing(row_, row, row.substr(0, 16) + "000000000000f07f" + row.substr(32)),
              HasSubstr("its row is none that adaptive-ftrl makes"));
  EXPECT_THAT(ComplaintAfter([&](auto& lines) { lines[row_ + 1] = lines[row_]; }),
              HasSubstr("ids must ascend"));
  EXPECT_THAT(ComplaintAfter([&](auto& lines) { std::swap(lines[row_], lines[row_ + 1]); }),
              HasSubstr("ids must ascend"));
  size_t token = row_;  // one that has a text
  while (token < example_ && Value(token, "text").empty()) ++token;
  EXPECT_THAT(ComplaintAfterReplacing(token, Value(token, "text"), "other"), HasSubstr("another feature's"));
  EXPECT_THAT(ComplaintAfterReplacing(example_ - 1, Value(example_ - 1, "text"), "raw:xxxx"),
              HasSubstr("another feature's"));
}

TEST_F(HostileExportTest, GlobalsAndNames) {
  const size_t state = IndexOf("{\"applied\"");
  const std::string globals = Value(state, "globals_hex");
  EXPECT_THAT(ComplaintAfterReplacing(state, globals, globals.substr(2)),
              HasSubstr("the globals are not valid"));
  EXPECT_THAT(ComplaintAfterReplacing(state, globals, "000000000000f0ff" + globals.substr(16)),
              HasSubstr("the globals are not valid"));
  EXPECT_THAT(ComplaintAfterReplacing(state, "\"applied\":30", "\"applied\":31"),
              HasSubstr("applied is the number of an example that is missing"));
  EXPECT_THAT(ComplaintAfter(
                  [&](auto& lines) { std::erase(lines, std::string(lines[IndexOf("{\"name\":\"seed")])); }),
              HasSubstr("meta has no 'seed'"));
  EXPECT_THAT(ComplaintAfter([&](auto& lines) { lines.insert(lines.begin() + 1, lines[1]); }),
              HasSubstr("line 3: expected a name that has not occurred"));
}

TEST_F(HostileExportTest, Examples) {
  EXPECT_THAT(ComplaintAfter([&](auto& lines) { std::erase(lines, std::string(lines[example_ + 3])); }),
              HasSubstr("without gaps"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"seq\":1", "\"seq\":0"), HasSubstr("without gaps"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"seq\":1", "\"seq\":-1"), HasSubstr("expected seq"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"spam\"", "\"eggs\""), HasSubstr("expected seq"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"evidence\":0", "\"evidence\":8"),
              HasSubstr("why it was taught"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"evidence\":0", "\"evidence\":256"),
              HasSubstr("why it was taught"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"features_hex\":\"02", "\"features_hex\":\"03"),
              HasSubstr("its features cannot be decoded"));
  EXPECT_THAT(ComplaintAfterReplacing(example_, "\"digest\":\"", "\"digest\":\"" + std::string(2000, 'x')),
              HasSubstr("a message key has at most 1024 bytes"));
}

TEST_F(HostileExportTest, WhatIsCutShortOrGoesOn) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 15; ++i) Complaint(exported_.substr(0, random() % exported_.size()));
  EXPECT_THAT(Complaint(exported_ + "{}\n"), HasSubstr("there is data after the last line"));
  EXPECT_THAT(Complaint(exported_ + "x"), HasSubstr("there is data after the last line"));
}

TEST_F(HostileExportTest, AFlippedBitIsAlwaysFound) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 30; ++i) {
    std::string text = exported_;
    text[random() % text.size()] ^= static_cast<char>(1 << random() % 8);
    const auto imported = Import(text);
    EXPECT_FALSE(imported.has_value());
    EXPECT_FALSE(storage::Database::Exists(Copy()));
  }
}

TEST_F(HostileExportTest, AnEndlessLine) {
  EXPECT_THAT(Complaint(lines_[0] + "\n" + std::string(size_t{70} << 20, 'x')),
              HasSubstr("line 2: the line is longer than"));
}

TEST_F(HostileExportTest, AfterItTheWholeOneIsTaken) {
  Complaint(exported_.substr(0, exported_.size() / 2));
  const auto imported = Import(exported_);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(Export(Copy(), settings_), exported_);
  const auto again = Import(exported_);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().exit_code, kCantCreate);
  EXPECT_EQ(Export(Copy(), settings_), exported_);
}

}  // namespace
}  // namespace thresher::pipeline
