// Every kind of damage to a model is found, and none crashes the check; an undamaged model has no errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <utility>

#include "learners/registry.h"
#include "pipeline/check/model_check.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/score_image.h"
#include "storage/walk.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using storage::Family;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kCheckedMessages = 60;

// Several writers make several files; the examples of the last one are only in the log.
void MakeModel(const fs::path& dir, const Settings& settings) {
  WriteAccess access;
  access.durability = storage::Durability::kOs;
  for (int session = 0, i = 0; session < 4; ++session) {
    const auto model = OpenOrCreateModel(dir, settings, access);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    for (; i < (session + 1) * kCheckedMessages / 4; ++i) {
      tokenizer::Features features;
      (*model)->identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      const auto learned = (*model)->Learn(features, {"message" + std::to_string(i), "digest"},
                                           {i % 3 == 0 ? Label::kSpam : Label::kHam, Evidence::kStream});
      ASSERT_TRUE(learned.has_value()) << learned.error().message;
    }
    if (session < 3) {  // with tables of the first half
      ASSERT_TRUE((session == 1 ? (*model)->Compact() : (*model)->Checkpoint()).has_value());
    }
  }
}

std::string Key(uint64_t number) {
  std::string key;
  storage::AppendBig(number, &key);
  return key;
}

std::string Value(uint64_t number) {
  std::string value;
  storage::AppendLittle(number, &value);
  return value;
}

// The whole content of a model, as text.
storage::Result<std::string> Contents(const fs::path& dir) {
  const auto database = storage::Database::OpenForReading(dir);
  if (!database) return tl::unexpected(database.error());
  std::string all = (*database)->ReadGlobals().value_or("?");
  const auto add = [&all](uint64_t number, std::string_view bytes) { all += Key(number).append(bytes); };
  const auto rows = storage::WalkRows(**database, [&](const storage::StoredRow& stored) {
    add(stored.id.value_or(0), stored.row.value_or(""));
    all += stored.text.value_or("");
    return true;
  });
  const auto examples = storage::WalkExamples(**database, [&](const storage::StoredExample& stored) {
    add(stored.seq.value_or(0), stored.example ? stored.example->features : "?");
    return true;
  });
  if (!rows) return tl::unexpected(rows.error());
  if (!examples) return tl::unexpected(examples.error());
  return all;
}

class CheckTest : public testing::Test {
 protected:
  void SetUp() override {
    MakeModel(whole_, settings_);
    Reset();
    const auto reader = storage::Database::OpenForReading(dir_);
    const auto image = storage::ScoreImage::Open(dir_);
    ASSERT_TRUE(image);
    std::set<uint64_t> have_weight;
    for (const auto& row : image->Rows()) have_weight.insert(row.id);
    // Ids differ from store to store, so which feature comes last does too; one that lost its weight still
    // has a text.
    ASSERT_TRUE(storage::WalkRows(**reader, [&](const storage::StoredRow& stored) {
                  if (tokenizer::IdSpace::IsNgram(*stored.id)) ngram_ = *stored.id;
                  if (stored.text && have_weight.contains(*stored.id)) token_ = *stored.id;
                  return true;
                }).has_value());
  }
  void Reset() {
    fs::remove_all(dir_);
    fs::copy(whole_, dir_, fs::copy_options::recursive);
  }

  static Result<ModelCheck> CheckOf(const fs::path& dir, const Settings& settings) {
    return CheckModel(dir, settings, [](uint64_t, uint64_t) {});
  }
  Result<ModelCheck> Check() const { return CheckOf(dir_, settings_); }
  static std::vector<std::string> WrongIn(const fs::path& dir, const Settings& settings) {
    const auto check = CheckOf(dir, settings);
    if (!check) return {"cannot be opened: " + check.error().message};
    EXPECT_EQ(check->wrong.size(), check->wrong_in_all);
    return check->wrong;
  }
  std::vector<std::string> Wrong() const { return WrongIn(dir_, settings_); }

  // Writes `change` directly into the database.
  template <class Change>
  void Damage(Change change) {
    Reset();
    const auto database =
        storage::Database::OpenOrCreate(dir_, {}, storage::Durability::kOs, std::chrono::seconds(0));
    ASSERT_TRUE(database.has_value());
    rocksdb::WriteBatch batch;
    change(storage::DatabaseAccess::ImplOf(**database), batch);
    EXPECT_TRUE(storage::DatabaseAccess::ImplOf(**database).Write(&batch, false).has_value());
  }
  std::vector<std::string> WrongAfterPut(Family family, const std::string& key, const std::string& value) {
    Damage([&](const auto& impl, rocksdb::WriteBatch& batch) {
      ASSERT_TRUE(batch.Put(impl.family(family), key, value).ok());
    });
    return Wrong();
  }
  std::vector<std::string> WrongAfterDelete(Family family, const std::string& key) {
    Damage([&](const auto& impl, rocksdb::WriteBatch& batch) {
      ASSERT_TRUE(batch.Delete(impl.family(family), key).ok());
    });
    return Wrong();
  }
  std::string Stored(Family family, const std::string& key) const {
    const auto reader = storage::Database::OpenForReading(whole_);
    return storage::DatabaseAccess::ImplOf(**reader).Get(family, key).value().value();
  }
  // Example 17, changed, with a correct checksum.
  template <class Change>
  std::vector<std::string> WrongAfterExample(Change change) {
    auto example = storage::DecodeExample(17, Stored(Family::kExamples, Key(17))).value();
    change(example);
    return WrongAfterPut(Family::kExamples, Key(17), storage::EncodeExample(17, example));
  }

  TestDirectory directory_;
  Settings settings_;
  fs::path whole_ = directory_ / "whole";
  fs::path dir_ = directory_ / "model";
  uint64_t ngram_ = 0;  // a byte n-gram with a row
  uint64_t token_ = 0;  // a token with a row and a text
};

TEST_F(CheckTest, ASoundModelIsReportedAsSound) {
  const auto check = Check();
  ASSERT_TRUE(check.has_value()) << check.error().message;
  EXPECT_THAT(check->wrong, IsEmpty());
  EXPECT_EQ(check->examples, uint64_t{kCheckedMessages});
  EXPECT_EQ(check->message_keys, uint64_t{kCheckedMessages});
  EXPECT_EQ(check->applied_seq, uint64_t{kCheckedMessages * 3 / 4});
  EXPECT_GT(check->files.files, 3U);
  EXPECT_GT(check->texts, 10U);
  EXPECT_GE(check->rows, check->texts + 10);
  EXPECT_EQ(check->image, ImageState::kEqual);
}

TEST_F(CheckTest, EveryLearnersModelIsSound) {
  for (const auto& spec : learners::AllLearners()) {
    Settings settings;
    settings.learner = spec.name;
    const fs::path dir = directory_ / std::string(spec.name);
    MakeModel(dir, settings);
    EXPECT_THAT(WrongIn(dir, settings), IsEmpty()) << spec.name;
  }
}

TEST_F(CheckTest, AModelWithoutCheckpointIsSound) {
  const fs::path dir = directory_ / "new";
  ASSERT_TRUE(OpenOrCreateModel(dir, settings_, {}).has_value());
  const auto check = CheckOf(dir, settings_);
  ASSERT_TRUE(check.has_value()) << check.error().message;
  EXPECT_THAT(check->wrong, IsEmpty());
  EXPECT_EQ(check->image, ImageState::kNone);
}

TEST_F(CheckTest, RowsAndTexts) {
  const std::string row = Stored(Family::kWeights, Key(token_));
  const std::string text = Stored(Family::kTokens, Key(token_));
  const std::string named = fmt::format("feature {:016x}: ", token_);
  const auto wrong_row = [&](const char* what) { return testing::Contains(HasSubstr(named + what)); };
  EXPECT_THAT(WrongAfterPut(Family::kWeights, Key(token_), row.substr(8)),
              wrong_row("its row has 24 bytes, not 32"));
  std::string nan = row;
  const double no_number = std::nan("");
  std::memcpy(nan.data() + 8, &no_number, sizeof no_number);
  EXPECT_THAT(WrongAfterPut(Family::kWeights, Key(token_), nan),
              wrong_row("its row is none that adaptive-ftrl makes"));
  EXPECT_THAT(WrongAfterDelete(Family::kWeights, Key(token_)), wrong_row("it has a text, but no row"));
  EXPECT_THAT(WrongAfterDelete(Family::kTokens, Key(token_)),
              ElementsAre(named + "it has a weight and no text"));
  EXPECT_THAT(WrongAfterPut(Family::kTokens, Key(token_), text + "x"),
              ElementsAre(named + "its text is another feature's"));
  EXPECT_THAT(WrongAfterPut(Family::kTokens, Key(ngram_), "text"), ElementsAre(HasSubstr("has a text")));
  EXPECT_THAT(WrongAfterPut(Family::kWeights, Key(ngram_ ^ 1), std::string(32, '\0')),
              ElementsAre(HasSubstr("no byte n-gram")));
  EXPECT_THAT(WrongAfterPut(Family::kWeights, "short", row), ElementsAre(HasSubstr("not a feature id")));
}

TEST_F(CheckTest, Globals) {
  std::string globals = Stored(Family::kMeta, "globals");
  EXPECT_THAT(WrongAfterPut(Family::kMeta, "globals", globals.substr(8)),
              testing::Contains(HasSubstr("do not have the form")));
  const double infinite = HUGE_VAL;
  std::memcpy(globals.data(), &infinite, sizeof infinite);
  EXPECT_THAT(WrongAfterPut(Family::kMeta, "globals", globals),
              ElementsAre(HasSubstr("the globals are not valid")));
  EXPECT_THAT(WrongAfterDelete(Family::kMeta, "globals"), testing::Contains("there are no globals"));
  EXPECT_THAT(WrongAfterPut(Family::kMeta, "applied-seq", Value(kCheckedMessages + 1)),
              testing::Contains(HasSubstr("the weights are those after example 61, but the log ends at 60")));
  EXPECT_THAT(WrongAfterPut(Family::kMeta, "applied-seq", "x"),
              testing::Contains(HasSubstr("applied sequence number")));
}

TEST_F(CheckTest, Examples) {
  EXPECT_THAT(WrongAfterDelete(Family::kExamples, Key(17)), ElementsAre("examples 17 to 17 are missing"));
  std::string damaged = Stored(Family::kExamples, Key(17));
  damaged.back() ^= 1;
  EXPECT_THAT(WrongAfterPut(Family::kExamples, Key(17), damaged),
              ElementsAre("example 17 does not match its checksum"));
  EXPECT_THAT(WrongAfterExample([](storage::Example& example) { example.features += "x"; }),
              ElementsAre("example 17: its features cannot be decoded"));
  EXPECT_THAT(WrongAfterExample([](storage::Example& example) { example.label = 2; }),
              ElementsAre("example 17: its label is neither spam nor ham"));
  EXPECT_THAT(WrongAfterExample([](storage::Example& example) { example.label = 0; }),
              ElementsAre("example 17: it is forgotten, but not empty"));
  EXPECT_THAT(WrongAfterExample([](storage::Example& example) { example.evidence = 8; }),
              ElementsAre("example 17: why it was taught is not known"));
  EXPECT_THAT(WrongAfterExample([](storage::Example& example) { example.digest = "other"; }),
              ElementsAre("example 17: its message key is not indexed",
                          "a message key points to example 17, which has another key"));
  EXPECT_THAT(WrongAfterPut(Family::kExamples, std::string(5, 0), "x"),
              ElementsAre(HasSubstr("is not a number")));
}

TEST_F(CheckTest, MessageKeys) {
  const std::string key = storage::MessageKeyBytes("message16", "digest");
  EXPECT_THAT(WrongAfterDelete(Family::kIds, key), ElementsAre("example 17: its message key is not indexed"));
  EXPECT_THAT(WrongAfterPut(Family::kIds, key, Value(999)),
              ElementsAre("a message key points to example 999, which does not exist"));
  EXPECT_THAT(WrongAfterPut(Family::kIds, key, Value(5)),
              ElementsAre("example 17: its message key points to example 5, which is older",
                          "a message key points to example 5, which has another key"));
  EXPECT_THAT(WrongAfterPut(Family::kIds, "x", Value(5)),
              ElementsAre(HasSubstr("entry of the message keys")));
}

TEST_F(CheckTest, TheImage) {
  const auto image = storage::ScoreImage::Open(whole_);
  ASSERT_TRUE(image.has_value());
  std::vector<storage::ScoreImage::Row> rows = image->Rows();
  size_t row_bytes = image->row_bytes();
  const auto wrong_after_publish = [&](uint64_t applied_seq) {
    Reset();
    EXPECT_TRUE(
        storage::ScoreImage::Publish(dir_, {image->meta(), image->globals(), applied_seq, row_bytes, rows}));
    return Wrong();
  };
  const uint64_t seq = image->applied_seq();
  EXPECT_THAT(wrong_after_publish(seq), IsEmpty());
  EXPECT_THAT(wrong_after_publish(seq - 1), IsEmpty());  // a killed writer may leave it like this
  EXPECT_THAT(wrong_after_publish(seq + 1), ElementsAre(HasSubstr("has lost")));
  std::vector<std::byte> other(rows[3].bytes, rows[3].bytes + image->row_bytes());
  other.back() ^= std::byte{1};
  const std::byte* const own = std::exchange(rows[3].bytes, other.data());
  EXPECT_THAT(wrong_after_publish(seq), ElementsAre(HasSubstr("have different rows")));
  rows[3].bytes = own;
  const auto last = rows.back();
  rows.pop_back();
  EXPECT_THAT(wrong_after_publish(seq), ElementsAre(HasSubstr("have different rows")));
  rows.push_back(last);
  rows.push_back({~uint64_t{0}, last.bytes});
  EXPECT_THAT(wrong_after_publish(seq), ElementsAre(HasSubstr("rows, the database")));
  row_bytes = 8;  // shorter ones than the learner's are not read
  EXPECT_THAT(wrong_after_publish(seq), ElementsAre(HasSubstr("the score image has rows of 8 bytes")));
  // Nothing is lost with it.
  std::ofstream(dir_ / "image") << "damaged";
  const auto check = Check();
  ASSERT_TRUE(check.has_value());
  EXPECT_THAT(check->wrong, IsEmpty());
  EXPECT_EQ(check->image, ImageState::kDamaged);
}

TEST_F(CheckTest, ALongListIsCut) {
  Damage([](const auto& impl, rocksdb::WriteBatch& batch) {
    for (uint64_t i = 0; i < 1000; ++i) {
      ASSERT_TRUE(batch.Put(impl.family(Family::kTokens), Key(i), "text").ok());
    }
  });
  const auto check = Check();
  ASSERT_TRUE(check);
  EXPECT_EQ(check->wrong.size(), ModelCheck::kMostListed);
  EXPECT_EQ(check->wrong_in_all, 1000U);
}

// If a flipped bit is not found, the content of the model is complete. At the ends of RocksDB's log and list
// of files a flipped bit may look like the result of a crash: an earlier, valid state.
TEST_F(CheckTest, AFlippedBitIsFoundOrHarmless) {
  const auto whole = Contents(whole_);
  ASSERT_TRUE(whole.has_value());
  std::mt19937_64 random(1);
  int found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(whole_)) {
    if (!entry.is_regular_file() || entry.file_size() == 0) continue;
    const fs::path file = dir_ / entry.path().lexically_relative(whole_);
    const std::string name = file.filename().string();
    for (int trial = 0; trial < 12; ++trial) {
      SCOPED_TRACE(name + " in trial " + std::to_string(trial));
      std::string bytes = ReadBytes(entry.path());
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      std::ofstream(file, std::ios::binary) << bytes;
      const auto check = Check();
      if (!check || check->wrong_in_all > 0) {
        EXPECT_TRUE(check || check.error().exit_code == kData || check.error().exit_code == kConfig)
            << check.error().message;
        ++found;
      } else if (!name.starts_with("MANIFEST") && !name.ends_with(".log")) {
        EXPECT_TRUE(Contents(dir_) == *whole);
      }
      fs::copy_file(entry.path(), file, fs::copy_options::overwrite_existing);
    }
  }
  EXPECT_GT(found, 30);
}

}  // namespace
}  // namespace thresher::pipeline
