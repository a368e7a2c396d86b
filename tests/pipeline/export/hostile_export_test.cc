// An incomplete, damaged or forged export makes no model, and what is wrong is said with its line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/model/model.h"
#include "storage/stream_digest.h"
#include "tests/pipeline/export/exported_model.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

// What the last line of an export counts too many.
struct Miscount {
  int rows = 0;
  int kept = 0;
  int examples = 0;
};

// An export with its parts, and the errors of changed ones.
class HostileExportTest : public ExportTest {
 protected:
  void SetUp() override {
    {
      const auto model = OpenToTeach(Whole(), settings_);
      TeachNumbered(*model, 0, 30);
      ASSERT_TRUE(model->Checkpoint().has_value());
    }
    exported_ = ExportOf(Whole(), settings_);
    lines_ = LinesOf(exported_);
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
    EXPECT_FALSE(storage::Database::CheckExists(Copy()).has_value());
    if (imported) return "";
    EXPECT_EQ(imported.error().exit_code, kData) << imported.error().message;
    EXPECT_EQ(imported.error().message.find('\n'), std::string::npos);
    return imported.error().message;
  }
  // The error of the export with `change` applied to its lines and a last line with their digest, and with
  // their counts but for a miscount.
  template <class Change>
  std::string ComplaintAfter(Change change, Miscount miscount = {}) {
    std::vector<std::string> lines = lines_;
    lines.pop_back();
    change(lines);
    std::string text;
    storage::StreamDigest digest;
    int rows = 0;
    int kept = 0;
    int examples = 0;
    for (const std::string& line : lines) {
      digest.Add(line + "\n");
      text += line + "\n";
      rows += line.starts_with("{\"id\"") ? 1 : 0;
      kept += line.starts_with("{\"kept\"") ? 1 : 0;
      examples += line.starts_with("{\"seq\"") ? 1 : 0;
    }
    text += fmt::format("{{\"rows\":{},\"kept\":{},\"examples\":{},\"xxh3\":\"{}\"}}\n", rows + miscount.rows,
                        kept + miscount.kept, examples + miscount.examples, digest.Hex());
    return Complaint(text);
  }
  static void Replace(std::string& line, const std::string& what, const std::string& by) {
    const size_t at = line.find(what);
    ASSERT_NE(at, std::string::npos) << line;
    line.replace(at, what.size(), by);
  }
  std::string ComplaintAfterReplacing(size_t line, const std::string& what, const std::string& by) {
    return ComplaintAfter([&](std::vector<std::string>& lines) { Replace(lines[line], what, by); });
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
  EXPECT_THAT(ComplaintAfterReplacing(0, "\"version\":2", "\"version\":0"),
              HasSubstr("line 1: the export has version 0, "));
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

// They are in memory before anything is checked.
TEST_F(HostileExportTest, TooManyNames) {
  const auto with_names = [&](int count, size_t size) {
    return ComplaintAfter([&](auto& lines) {
      for (int i = 0; i < count; ++i)
        lines.insert(lines.begin() + 1,
                     fmt::format("{{\"name\":\"x{}\",\"text\":\"{}\"}}", i, std::string(size, 'x')));
    });
  };
  const auto wrong = HasSubstr("a model has at most 100 names, and 1048576 bytes of them and their texts");
  EXPECT_THAT(with_names(101, 1), wrong);
  EXPECT_THAT(with_names(2, 600'000), wrong);
}

TEST_F(HostileExportTest, TooManyMembers) {
  EXPECT_THAT(ComplaintAfterReplacing(row_, "{", "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,"),
              HasSubstr("expected a JSON object of at most 10 texts and numbers"));
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

// The first two examples have expired, and are kept for rehearsal.
TEST_F(HostileExportTest, KeptExamples) {
  const size_t state = IndexOf("{\"applied\"");
  const auto with_kept = [&](std::vector<int> numbers) {
    return ComplaintAfter([&](auto& lines) {
      const std::string taught = lines[example_].substr(lines[example_].find(",\"time\""));
      Replace(lines[state], "\"first\":1", "\"first\":3");
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(example_),
                  lines.begin() + static_cast<ptrdiff_t>(example_) + 2);
      for (size_t i = 0; i < numbers.size(); ++i)
        lines.insert(lines.begin() + static_cast<ptrdiff_t>(example_ + i),
                     fmt::format("{{\"kept\":{}", numbers[i]) + taught);
    });
  };
  // Log_bytes counts the two examples, and is read last.
  const auto nothing_else = HasSubstr("first and log_bytes do not match");
  const auto wrong = HasSubstr("numbers of kept examples must ascend, and be those of expired examples");
  EXPECT_THAT(with_kept({1, 2}), nothing_else);
  EXPECT_THAT(with_kept({2}), nothing_else);
  EXPECT_THAT(with_kept({2, 1}), wrong);
  EXPECT_THAT(with_kept({1, 1}), wrong);
  EXPECT_THAT(with_kept({0}), wrong);
  EXPECT_THAT(with_kept({1, 3}), wrong);
}

TEST_F(HostileExportTest, FirstAndLogBytes) {
  const size_t state = IndexOf("{\"applied\"");
  const auto wrong = HasSubstr("first and log_bytes do not match the examples");
  EXPECT_THAT(ComplaintAfterReplacing(state, "\"log_bytes\":", "\"log_bytes\":1"), wrong);
  EXPECT_THAT(ComplaintAfter([&](auto& lines) {  // numbered from 0
                Replace(lines[state], "\"first\":1", "\"first\":0");
                Replace(lines[example_], "\"seq\":1", "\"seq\":0");
                lines.resize(example_ + 1);
              }),
              HasSubstr("without gaps, from the first one kept"));
  const auto without_examples = [&](const char* first) {
    return ComplaintAfter([&](auto& lines) {
      lines.resize(example_);
      std::string& line = lines[state];
      line = line.substr(0, line.find("\"first\"")) + fmt::format("\"first\":{},\"log_bytes\":0", first) +
             line.substr(line.find(",\"globals"));
    });
  };
  EXPECT_THAT(without_examples("0"), wrong);
  EXPECT_THAT(without_examples("2"), wrong);
  EXPECT_THAT(without_examples("1"), HasSubstr("applied is the number of an example that is missing"));
}

TEST_F(HostileExportTest, NothingHasExpiredBeforeTheFirstCheckpoint) {
  std::filesystem::remove_all(Whole());
  OpenToTeach(Whole(), settings_).reset();
  lines_ = LinesOf(ExportOf(Whole(), settings_));
  const size_t state = IndexOf("{\"applied\":0");
  const auto wrong = HasSubstr("nothing can have expired before the first checkpoint");
  EXPECT_THAT(ComplaintAfterReplacing(state, "\"first\":1", "\"first\":2"), wrong);
  EXPECT_THAT(ComplaintAfterReplacing(state, "\"log_bytes\":0", "\"log_bytes\":5"), wrong);
}

TEST_F(HostileExportTest, OtherCountsAndOrders) {
  const auto unchanged = [](const auto&) {};
  for (const Miscount miscount : {Miscount{.rows = 1}, Miscount{.kept = 1}, Miscount{.examples = -1}})
    EXPECT_THAT(ComplaintAfter(unchanged, miscount), HasSubstr("but the last line says otherwise"));
  EXPECT_THAT(ComplaintAfter([&](auto& lines) { std::swap(lines[example_ - 1], lines[example_]); }),
              HasSubstr("expected a row, an example or the last line, in this order"));
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
    EXPECT_FALSE(storage::Database::CheckExists(Copy()).has_value());
  }
}

TEST_F(HostileExportTest, AnEndlessLine) {
  EXPECT_THAT(Complaint(lines_[0] + "\n" + std::string(size_t{70} << 20, 'x')),
              HasSubstr("line 2: a line of more than 64 MiB"));
}

TEST_F(HostileExportTest, AfterItTheWholeOneIsTaken) {
  Complaint(exported_.substr(0, exported_.size() / 2));
  const auto imported = Import(exported_);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(ExportOf(Copy(), settings_), exported_);
  const auto again = Import(exported_);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().exit_code, kCantCreate);
  EXPECT_EQ(ExportOf(Copy(), settings_), exported_);
}

}  // namespace
}  // namespace thresher::pipeline
