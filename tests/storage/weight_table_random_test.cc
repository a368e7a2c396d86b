// Random operations on a weight table, against a std::map that goes through the same.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "storage/database_impl.h"
#include "storage/weight_table.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

using Row = std::array<uint64_t, kRowBytes / 8>;

Row Values(const std::byte* row) {
  Row values{};
  if (row != nullptr) std::memcpy(values.data(), row, sizeof values);
  return values;
}

// Half of the rows have one.
bool RandomRowWeighs(const std::byte* row) { return Values(row)[0] % 2 != 0; }

std::string TextOf(uint64_t id) { return id % 4 == 0 ? "" : std::string(id % 128, 'a') + std::to_string(id); }

// A table, and beside it the rows as they must be: in memory, and as of the last checkpoint.
class Pair {
 public:
  explicit Pair(const TestDirectory& scratch) : scratch_(&scratch) { Reopen(); }

  void Reopen() {
    table_.reset();
    database_.reset();
    database_ = OpenForWriting(*scratch_);
    table_ = std::make_unique<WeightTable>(*database_, kRowBytes);
    table_->SetBudget(checkpoints_ % 2);  // no limit, or so little that only the message at hand stays
    rows_ = stored_;
  }

  // Finds rows, and may change what it found; a changed row may become prunable.
  void Learn(std::mt19937_64& random, bool touch) {
    std::vector<uint64_t> ids;
    for (size_t i = 0; i < random() % 60; ++i) ids.push_back(random() % 500);
    const bool only_weights = random() % 2 == 0;
    ASSERT_TRUE(Succeeded(only_weights ? table_->FindWeights(ids, &found_) : table_->Find(ids, &found_)));
    ASSERT_EQ(found_.rows().size(), ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      const std::byte* const row = found_.rows()[i];
      const Row twin = Twin(ids[i]);
      const bool may_be_missing = only_weights && twin[0] % 2 == 0;
      EXPECT_EQ(Values(row), row == nullptr && may_be_missing ? Row{} : twin);
      missing_ += row == nullptr && twin != Row{} ? 1 : 0;
    }
    if (touch) Touch(random);
  }

  // Touches what was found last, whatever was done since, even by another table.
  void Touch(std::mt19937_64& random) {
    const std::vector<uint64_t> ids(found_.ids().begin(), found_.ids().end());
    const auto rows = table_->Touch(found_);
    ASSERT_TRUE(Succeeded(rows));
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(Values((*rows)[i]), Twin(ids[i]));
      const Row row = random() % 3 == 0 ? Row{} : Row{random(), ids[i], random()};
      std::memcpy((*rows)[i], row.data(), sizeof row);
      rows_[ids[i]] = row;
    }
    std::vector<uint8_t> wanted;
    for (size_t i = 0; i < ids.size(); ++i)
      wanted.push_back(IsNotZero(found_.rows()[i]) && WantsText(ids[i]) ? 1 : 0);
    table_->KeepTexts(found_, wanted, TextsFor(ids));
  }

  void Checkpoint(std::mt19937_64& random) {
    DatabaseAccess::ImplOf(*database_).set_largest_batch(random() % 2 == 0 ? SIZE_MAX : 0);
    const std::string globals = std::to_string(++checkpoints_);
    ASSERT_TRUE(Succeeded(
        table_->Checkpoint(std::as_bytes(std::span(globals)), checkpoints_, IsNotZero, RandomRowWeighs)));
    std::erase_if(rows_, [](const auto& entry) { return entry.second == Row{}; });
    stored_ = rows_;
    EXPECT_EQ(database_->ReadGlobals(), globals);
    EXPECT_EQ(database_->ReadAppliedSeq(), checkpoints_);
  }

  // Compares all that a reader sees that opens now, row by row and all at once.
  void CheckStored() {
    auto reader = Database::OpenForReading(scratch_->model());
    ASSERT_TRUE(Succeeded(reader));
    WeightTable piecemeal(**reader, kRowBytes);
    WeightTable whole(**reader, kRowBytes);
    ASSERT_TRUE(Succeeded(whole.LoadAll()));
    EXPECT_EQ(whole.resident_rows(), stored_.size());
    for (uint64_t first = 0; first < 500; first += 50) {
      std::vector<uint64_t> ids;
      for (uint64_t id = first; id < first + 50; ++id) ids.push_back(id);
      FoundRows some;
      FoundRows all;
      ASSERT_TRUE(Succeeded(piecemeal.Find(ids, &some)));
      ASSERT_TRUE(Succeeded(whole.Find(ids, &all)));
      const auto texts = whole.Texts(ids);
      ASSERT_TRUE(Succeeded(texts));
      for (size_t i = 0; i < ids.size(); ++i) {
        const auto stored = stored_.find(ids[i]);
        const bool is_stored = stored != stored_.end();
        EXPECT_EQ(some.rows()[i] != nullptr, is_stored);
        EXPECT_EQ(all.rows()[i] != nullptr, is_stored);
        EXPECT_EQ(Values(some.rows()[i]), is_stored ? stored->second : Row{});
        EXPECT_EQ(Values(all.rows()[i]), Values(some.rows()[i]));
        EXPECT_EQ((*texts)[i], is_stored && WantsText(ids[i]) ? TextOf(ids[i]) : "");
      }
    }
  }

  void LoadAll() {
    ASSERT_TRUE(Succeeded(table_->LoadAll()));
    size_t live = 0;
    table_->ForEach([&](uint64_t id, const std::byte* row) {
      EXPECT_EQ(Values(row), Twin(id));
      live += IsNotZero(row) ? 1U : 0U;
    });
    size_t expected = 0;
    for (const auto& [id, row] : rows_) expected += row != Row{} ? 1U : 0U;
    EXPECT_EQ(live, expected);
  }

  // A text can be read before its row is stored, too.
  void CheckTexts() {
    std::vector<uint64_t> ids;
    for (const auto& [id, row] : rows_) {
      if (row != Row{}) ids.push_back(id);
    }
    const auto texts = table_->Texts(ids);
    ASSERT_TRUE(Succeeded(texts));
    for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], WantsText(ids[i]) ? TextOf(ids[i]) : "");
  }

  void ForgetAThird(uint64_t residue) {
    table_->ForEachMutable([residue](std::byte* row) {
      if (Values(row)[0] % 3 == residue) std::memset(row, 0, kRowBytes);
    });
    for (auto& [id, row] : rows_) {
      if (row[0] % 3 == residue) row = {};
    }
  }

  WeightTable& table() { return *table_; }
  size_t missing() const { return missing_; }

 private:
  static bool WantsText(uint64_t id) { return id % 4 != 0; }
  Row Twin(uint64_t id) const {
    const auto found = rows_.find(id);
    return found == rows_.end() ? Row{} : found->second;
  }

  std::function<std::string_view(size_t)> TextsFor(const std::vector<uint64_t>& ids) {
    texts_.clear();
    for (const uint64_t id : ids) texts_.push_back(TextOf(id));
    return [this](size_t i) -> std::string_view { return texts_[i]; };
  }

  const TestDirectory* scratch_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<WeightTable> table_;
  std::map<uint64_t, Row> rows_;
  std::map<uint64_t, Row> stored_;
  std::vector<std::string> texts_;
  FoundRows found_;
  uint64_t checkpoints_ = 0;
  size_t missing_ = 0;  // rows that FindWeights did not look up on disk
};

TEST(WeightTableRandomTest, AgreesWithAMapUnderRandomOperations) {
  size_t missing = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const TestDirectory scratch;
    std::mt19937_64 random(seed);
    Pair pair(scratch);
    for (int step = 0; step < 150 && !HasFatalFailure(); ++step) {
      switch (random() % 16) {
        case 0:
          pair.Reopen();
          break;
        case 1:
          pair.LoadAll();
          break;
        case 2:
        case 3:
          pair.Checkpoint(random);
          break;
        case 4:
          pair.CheckStored();
          break;
        case 5:
          pair.CheckTexts();
          break;
        case 6:
          pair.LoadAll();
          pair.ForgetAThird(random() % 3);
          break;
        case 7:
          ASSERT_TRUE(Succeeded(pair.table().Sweep(IsNotZero)));
          break;
        case 8:
          pair.Touch(random);
          break;
        default:
          pair.Learn(random, random() % 4 != 0);
      }
    }
    pair.Checkpoint(random);
    pair.CheckStored();
    missing += pair.missing();
  }
  EXPECT_GT(missing, 0U);
}

}  // namespace
}  // namespace thresher::storage
