#include "storage/weight_table.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/database_impl.h"
#include "tests/storage/outcome.h"
#include "tests/storage/scratch_directory.h"

namespace thresher::storage {
namespace {

constexpr size_t kRowBytes = 24;
using Row = std::array<uint64_t, kRowBytes / 8>;

bool IsLive(const std::byte* row) {
  Row values;
  std::memcpy(values.data(), row, sizeof values);
  return values != Row{};
}

Row Values(const std::byte* row) {
  Row values{};
  if (row != nullptr) std::memcpy(values.data(), row, sizeof values);
  return values;
}

std::string TextOf(uint64_t id) { return id % 4 == 0 ? "" : std::string(id % 128, 'a') + std::to_string(id); }

// A table, and beside it the rows as they must be: resident, and as of the last checkpoint.
class Pair {
 public:
  explicit Pair(const ScratchDirectory& scratch) : scratch_(&scratch) { Reopen(); }

  void Reopen() {
    table_.reset();
    database_.reset();
    auto opened =
        Database::OpenOrCreate(scratch_->model(), {}, Durability::kOs, std::chrono::milliseconds(0));
    ASSERT_TRUE(Succeeded(opened));
    database_ = *std::move(opened);
    table_ = std::make_unique<WeightTable>(*database_, kRowBytes);
    table_->SetBudget(checkpoints_ % 2);  // none, or nothing but the message at hand
    rows_ = stored_;
  }

  // Finds, and changes some of what it found; a changed row may die.
  void Learn(std::mt19937_64& random, bool touch) {
    std::vector<uint64_t> ids;
    for (size_t i = 0; i < random() % 60; ++i) ids.push_back(random() % 500);
    std::vector<const std::byte*> found;
    ASSERT_TRUE(Succeeded(table_->Find(ids, &found)));
    ASSERT_EQ(found.size(), ids.size());
    for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(Values(found[i]), Twin(ids[i]));
    if (!touch) return;
    std::vector<std::byte*> rows;
    table_->Touch(ids, TextsFor(ids), &rows);
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(Values(rows[i]), Twin(ids[i]));
      const Row row = random() % 3 == 0 ? Row{} : Row{random(), ids[i], random()};
      std::memcpy(rows[i], row.data(), sizeof row);
      rows_[ids[i]] = row;
    }
  }

  void Checkpoint(std::mt19937_64& random) {
    database_->impl().set_largest_batch(random() % 2 == 0 ? SIZE_MAX : 0);
    const std::string globals = std::to_string(++checkpoints_);
    ASSERT_TRUE(
        Succeeded(table_->Checkpoint(std::as_bytes(std::span(globals)), checkpoints_, IsLive, IsLive)));
    std::erase_if(rows_, [](const auto& entry) { return entry.second == Row{}; });
    stored_ = rows_;
    EXPECT_EQ(database_->ReadGlobals(), globals);
    EXPECT_EQ(database_->ReadAppliedSeq(), checkpoints_);
  }

  // The whole of it, as a reader that opens now sees it, row by row and all at once.
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
      std::vector<const std::byte*> some;
      std::vector<const std::byte*> all;
      ASSERT_TRUE(Succeeded(piecemeal.Find(ids, &some)));
      ASSERT_TRUE(Succeeded(whole.Find(ids, &all)));
      const auto texts = whole.Texts(ids);
      ASSERT_TRUE(Succeeded(texts));
      for (size_t i = 0; i < ids.size(); ++i) {
        const auto stored = stored_.find(ids[i]);
        const bool is_stored = stored != stored_.end();
        EXPECT_EQ(some[i] != nullptr, is_stored);
        EXPECT_EQ(all[i] != nullptr, is_stored);
        EXPECT_EQ(Values(some[i]), is_stored ? stored->second : Row{});
        EXPECT_EQ(Values(all[i]), Values(some[i]));
        EXPECT_EQ((*texts)[i], is_stored ? TextOf(ids[i]) : "");
      }
    }
  }

  void LoadAll() {
    ASSERT_TRUE(Succeeded(table_->LoadAll()));
    size_t live = 0;
    table_->ForEach([&](uint64_t id, const std::byte* row) {
      EXPECT_EQ(Values(row), Twin(id));
      live += IsLive(row) ? 1U : 0U;
    });
    size_t expected = 0;
    for (const auto& [id, row] : rows_) expected += row != Row{} ? 1U : 0U;
    EXPECT_EQ(live, expected);
  }

  // Texts are there before their rows are stored, too.
  void CheckTexts() {
    std::vector<uint64_t> ids;
    for (const auto& [id, row] : rows_) ids.push_back(id);
    const auto texts = table_->Texts(ids);
    ASSERT_TRUE(Succeeded(texts));
    for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], TextOf(ids[i]));
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

 private:
  Row Twin(uint64_t id) const {
    const auto found = rows_.find(id);
    return found == rows_.end() ? Row{} : found->second;
  }

  std::function<std::string_view(size_t)> TextsFor(const std::vector<uint64_t>& ids) {
    texts_.clear();
    for (const uint64_t id : ids) texts_.push_back(TextOf(id));
    return [this](size_t i) -> std::string_view { return texts_[i]; };
  }

  const ScratchDirectory* scratch_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<WeightTable> table_;
  std::map<uint64_t, Row> rows_;
  std::map<uint64_t, Row> stored_;
  std::vector<std::string> texts_;
  uint64_t checkpoints_ = 0;
};

TEST(WeightTableTest, AgreesWithAMapUnderRandomOperations) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const ScratchDirectory scratch;
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
          ASSERT_TRUE(Succeeded(pair.table().Sweep(IsLive)));
          break;
        default:
          pair.Learn(random, random() % 4 != 0);
      }
    }
    pair.Checkpoint(random);
    pair.CheckStored();
  }
}

void Fill(WeightTable& table, const std::vector<uint64_t>& ids, std::byte fill);

// The numbers from `first` to before `last`.
std::vector<uint64_t> Numbers(uint64_t first, uint64_t last) {
  std::vector<uint64_t> numbers(last - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

TEST(WeightTableTest, KeepsToItsBudgetAndToWhatWasLearnedLately) {
  const ScratchDirectory scratch;
  const auto database =
      Database::OpenOrCreate(scratch.model(), {}, Durability::kOs, std::chrono::milliseconds(0));
  ASSERT_TRUE(Succeeded(database));
  WeightTable table(**database, kRowBytes);
  const auto all_live = [](const std::byte*) { return true; };
  Fill(table, Numbers(0, 100000), std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, all_live, all_live)));
  const size_t whole = table.memory_bytes();
  EXPECT_EQ(table.resident_rows(), 100000U);

  table.SetBudget(whole / 2);
  Fill(table, Numbers(0, 10), std::byte{2});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, all_live, all_live)));
  EXPECT_EQ(table.resident_rows(), 0U);  // all of them were new, and so recent

  Fill(table, Numbers(0, 30000), std::byte{3});
  std::vector<const std::byte*> found;
  ASSERT_TRUE(Succeeded(table.Find(Numbers(0, 100000), &found)));
  EXPECT_EQ(*found[29999], std::byte{3});
  EXPECT_EQ(*found[30000], std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 3, all_live, all_live)));
  EXPECT_EQ(table.resident_rows(), 0U);  // 30,000 take more than half of it

  Fill(table, Numbers(5000, 5010), std::byte{4});
  ASSERT_TRUE(Succeeded(table.Find(Numbers(0, 100000), &found)));
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 4, all_live, all_live)));
  EXPECT_EQ(table.resident_rows(), 10U);
  EXPECT_LE(table.memory_bytes(), whole / 2);
  ASSERT_TRUE(Succeeded(table.Find(Numbers(4999, 5011), &found)));
  EXPECT_EQ(*found[0], std::byte{3});
  EXPECT_EQ(*found[1], std::byte{4});
}

std::unique_ptr<Database> OpenForWriting(const ScratchDirectory& scratch) {
  auto database = Database::OpenOrCreate(scratch.model(), {}, Durability::kOs, std::chrono::milliseconds(0));
  EXPECT_TRUE(Succeeded(database));
  return *std::move(database);
}

// Makes the rows of `ids`, all bytes `fill`.
void Fill(WeightTable& table, const std::vector<uint64_t>& ids, std::byte fill) {
  std::vector<const std::byte*> found;
  ASSERT_TRUE(Succeeded(table.Find(ids, &found)));
  std::vector<std::byte*> rows;
  table.Touch(
      ids, [](size_t) { return "text"; }, &rows);
  for (std::byte* row : rows) std::memset(row, static_cast<int>(fill), kRowBytes);
}

TEST(WeightTableTest, SweepsWhatDiedOnDiskAndLeavesTheRestThere) {
  const ScratchDirectory scratch;
  const auto all_live = [](const std::byte*) { return true; };
  const auto later = [](const std::byte* row) { return *row != std::byte{1}; };
  {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    Fill(table, Numbers(0, 60000), std::byte{1});
    Fill(table, Numbers(60000, 100000), std::byte{2});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, all_live, all_live)));
  }
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  table.SetBudget(size_t{2} << 20);
  Fill(table, Numbers(0, 10), std::byte{2});  // live again
  std::vector<const std::byte*> found;
  ASSERT_TRUE(Succeeded(table.Find(Numbers(10, 20), &found)));  // in memory and dead

  uint64_t removed = 0;
  for (uint64_t seq = 2; removed < 60000 - 10; ++seq) {
    Fill(table, Numbers(60000, 100000), std::byte{2});
    EXPECT_GT(table.memory_bytes(), size_t{2} << 20);  // as where a checkpoint is due for want of memory
    const auto swept = table.Sweep(later);
    ASSERT_TRUE(Succeeded(swept));
    EXPECT_EQ(*swept, 100000 - removed);
    EXPECT_LE(table.memory_bytes(), size_t{8} << 20);  // no more than one growth beyond
    const auto done = table.Checkpoint({}, seq, later, all_live);
    ASSERT_TRUE(Succeeded(done));
    ASSERT_GT(done->removed, 0U);
    removed += done->removed;
  }
  EXPECT_EQ(removed, 60000U - 10U);
  EXPECT_LT(table.resident_rows(), 100U);
  WeightTable whole(*database, kRowBytes);
  ASSERT_TRUE(Succeeded(whole.LoadAll()));
  EXPECT_EQ(whole.resident_rows(), 40010U);
}

TEST(WeightTableTest, WhoLooksUpManyRowsGetsAllIfThereIsRoom) {
  const ScratchDirectory scratch;
  std::vector<uint64_t> ids(1000);
  std::iota(ids.begin(), ids.end(), 1);
  for (const size_t budget : {size_t{0}, size_t{1} << 20, size_t{1} << 10}) {
    auto database =
        Database::OpenOrCreate(scratch.model(), {}, Durability::kOs, std::chrono::milliseconds(0));
    ASSERT_TRUE(Succeeded(database));
    WeightTable table(**database, kRowBytes);
    std::vector<const std::byte*> found;
    if (budget == 0) {
      std::vector<std::byte*> rows;
      ASSERT_TRUE(Succeeded(table.Find(ids, &found)));
      table.Touch(
          ids, [](size_t) { return ""; }, &rows);
      for (std::byte* row : rows) std::memset(row, 1, kRowBytes);
      ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, &IsLive, &IsLive)));
      continue;
    }
    table.SetBudget(budget);
    for (uint64_t i = 0; i < 100; ++i) {
      std::vector<uint64_t> absent(1000);
      std::iota(absent.begin(), absent.end(), 1000000 + 1000 * i);
      absent[0] = 7;
      ASSERT_TRUE(Succeeded(table.Find(absent, &found)));
      EXPECT_EQ(Values(found[0])[0], 0x0101010101010101U);
      EXPECT_EQ(found[1], nullptr);
      if (i == 0) {
        EXPECT_EQ(table.resident_rows(), 1U);
      }
    }
    EXPECT_EQ(table.resident_rows(), budget == 1 << 20 ? 1000U : 1U);
  }
}

TEST(WeightTableTest, RepeatedIdsAreOneRow) {
  const ScratchDirectory scratch;
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  const std::vector<uint64_t> ids{5, 9, 5, 5};
  std::vector<const std::byte*> found;
  ASSERT_TRUE(Succeeded(table.Find(ids, &found)));
  std::vector<std::byte*> rows;
  table.Touch(
      ids, [](size_t) { return ""; }, &rows);
  EXPECT_EQ(rows[0], rows[2]);
  EXPECT_EQ(rows[0], rows[3]);
  EXPECT_NE(rows[0], rows[1]);
  EXPECT_EQ(table.resident_rows(), 2U);
}

TEST(WeightTableTest, ASweepFindsRowsThatDiedUntouched) {
  const ScratchDirectory scratch;
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  Fill(table, {1, 2, 3, 4}, std::byte{1});
  const auto all_live = [](const std::byte*) { return true; };
  const auto no_row_lives = [](const std::byte*) { return false; };
  ASSERT_EQ(table.Checkpoint({}, 1, all_live, all_live)->written, 4U);
  ASSERT_EQ(table.Checkpoint({}, 2, all_live, all_live)->written, 0U);
  const auto swept = table.Checkpoint({}, 3, no_row_lives, no_row_lives);
  ASSERT_TRUE(Succeeded(swept));
  EXPECT_EQ(swept->removed, 4U);
  EXPECT_EQ(table.resident_rows(), 0U);
  EXPECT_EQ(*table.Texts(std::vector<uint64_t>{1, 2}), (std::vector<std::string>{"", ""}));
}

// A checkpoint that takes table files and has nothing to put into some of them.
TEST(WeightTableTest, ALargeCheckpointWithoutTextsOrRows) {
  const ScratchDirectory scratch;
  const auto database = OpenForWriting(scratch);
  database->impl().set_largest_batch(0);
  WeightTable table(*database, kRowBytes);
  const auto no_row_lives = [](const std::byte*) { return false; };
  Fill(table, {1, 2}, std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, no_row_lives, no_row_lives)));
  EXPECT_EQ(database->ReadAppliedSeq(), 1U);
  Fill(table, {1, 2}, std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, IsLive, IsLive)));
  Fill(table, {1, 2}, std::byte{2});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 3, IsLive, IsLive)));
  Fill(table, {2, 3}, std::byte{3});
  EXPECT_EQ(table.Checkpoint({}, 4, no_row_lives, no_row_lives)->removed, 3U);
  WeightTable stored(*database, kRowBytes);
  ASSERT_TRUE(Succeeded(stored.LoadAll()));
  EXPECT_EQ(stored.resident_rows(), 0U);
  EXPECT_EQ(database->ReadAppliedSeq(), 4U);
}

class BegunAgainTest : public testing::TestWithParam<size_t> {};

TEST_P(BegunAgainTest, IsSeenWholeOrNotAtAll) {
  const ScratchDirectory scratch;
  constexpr size_t kNewRowBytes = kRowBytes + 8;
  {
    const auto database = OpenForWriting(scratch);
    database->impl().set_largest_batch(GetParam());
    WeightTable table(*database, kRowBytes);
    Fill(table, {1, 2, ~uint64_t{0}}, std::byte{1});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 7, IsLive, IsLive)));
    table.StartOver(kNewRowBytes, {{"learner", "another"}});
    std::vector<const std::byte*> found;
    ASSERT_TRUE(Succeeded(table.Find(std::vector<uint64_t>{1}, &found)));
    EXPECT_EQ(found[0], nullptr);
    Fill(table, {2, 3}, std::byte{2});
    {
      const auto reader = Database::OpenForReading(scratch.model());
      ASSERT_TRUE(Succeeded(reader));
      WeightTable old(**reader, kRowBytes);
      ASSERT_TRUE(Succeeded(old.LoadAll()));
      EXPECT_EQ(old.resident_rows(), 3U);
      EXPECT_EQ((*reader)->ReadAppliedSeq(), 7U);
    }
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 5, IsLive, IsLive)));
    Fill(table, {4}, std::byte{3});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 6, IsLive, IsLive)));
  }
  for (const bool compacted : {false, true}) {
    if (compacted) {
      ASSERT_TRUE(Succeeded(OpenForWriting(scratch)->Compact()));
    }
    const auto reader = Database::OpenForReading(scratch.model());
    ASSERT_TRUE(Succeeded(reader));
    EXPECT_EQ((*reader)->ReadAppliedSeq(), 6U);
    EXPECT_EQ((*reader)->meta().at("learner"), "another");
    WeightTable piecemeal(**reader, kNewRowBytes);
    const std::vector<uint64_t> all{1, 2, 3, 4, ~uint64_t{0}};
    std::vector<const std::byte*> found;
    ASSERT_TRUE(Succeeded(piecemeal.Find(all, &found)));
    WeightTable whole(**reader, kNewRowBytes);
    ASSERT_TRUE(Succeeded(whole.LoadAll()));
    std::set<uint64_t> ids;
    whole.ForEach([&](uint64_t id, const std::byte*) { ids.insert(id); });
    for (const auto* table : {&piecemeal, &whole}) EXPECT_EQ(table->resident_rows(), 3U);
    EXPECT_EQ(ids, (std::set<uint64_t>{2, 3, 4}));
    EXPECT_EQ(*whole.Texts(all), (std::vector<std::string>{"", "text", "text", "text", ""}));
  }
}

INSTANTIATE_TEST_SUITE_P(BothWays, BegunAgainTest, testing::Values(0, SIZE_MAX));

TEST(WeightTableDeathTest, TouchOfOtherIdsThanWereFoundStopsTheProgram) {
  const ScratchDirectory scratch;
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  const std::vector<uint64_t> ids{1, 2};
  const std::vector<uint64_t> others{1, 3};
  std::vector<const std::byte*> found;
  std::vector<std::byte*> rows;
  ASSERT_TRUE(Succeeded(table.Find(ids, &found)));
  EXPECT_DEATH(table.Touch(
                   others, [](size_t) { return ""; }, &rows),
               "");
}

TEST(WeightTableTest, ManyRowsInOneCheckpoint) {
  const ScratchDirectory scratch;
  {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    std::mt19937_64 random(3);
    for (int message = 0; message < 100; ++message) {
      std::vector<uint64_t> ids(2000);
      for (uint64_t& id : ids) id = random();
      Fill(table, ids, std::byte{9});
    }
    EXPECT_EQ(table.Checkpoint({}, 1, IsLive, IsLive)->written, 200000U);
  }
  const auto reader = Database::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  WeightTable table(**reader, kRowBytes);
  ASSERT_TRUE(Succeeded(table.LoadAll()));
  EXPECT_EQ(table.resident_rows(), 200000U);
}

TEST(WeightTableTest, ARowOfAnotherSizeIsCorrupt) {
  const ScratchDirectory scratch;
  const auto database = OpenForWriting(scratch);
  {
    WeightTable table(*database, kRowBytes);
    Fill(table, {1}, std::byte{1});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, IsLive, IsLive)));
  }
  WeightTable other(*database, kRowBytes + 8);
  std::vector<const std::byte*> found;
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.Find(std::vector<uint64_t>{1}, &found)));
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.LoadAll()));
}

}  // namespace
}  // namespace thresher::storage
