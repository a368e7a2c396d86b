// The score image: reading gives what was published or nothing, and never an image older than the database.
#include "storage/score_image.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>

#include "storage/store_directory.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

using Rows = std::map<uint64_t, ToyRow>;

Result<void> Publish(const fs::path& dir, const Rows& rows, uint64_t applied_seq = 7) {
  std::vector<ScoreImage::Row> list;
  for (const auto& [id, row] : rows) list.push_back({id, reinterpret_cast<const std::byte*>(row.data())});
  const std::string globals = "globals";
  return ScoreImage::Publish(dir, {{{"learner", "toy"}, {"empty", ""}},
                                   std::as_bytes(std::span(globals)),
                                   applied_seq,
                                   sizeof(ToyRow),
                                   list});
}

Rows RowsOf(const ScoreImage& image) {
  Rows rows;
  for (const ScoreImage::Row& row : image.Rows()) std::memcpy(rows[row.id].data(), row.bytes, sizeof(ToyRow));
  return rows;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class ScoreImageTest : public testing::TestWithParam<size_t> {
 protected:
  ScoreImageTest() { fs::create_directory(scratch_.model()); }

  TestDirectory scratch_;
};

TEST_P(ScoreImageTest, IsWhatWasPublished) {
  std::mt19937_64 random(GetParam());
  Rows rows;
  // Ids that are spread evenly, and ids that are all in one group.
  while (rows.size() < GetParam())
    rows[rows.size() % 2 == 0 ? random() : random() % 50000] = {random(), random()};
  ASSERT_TRUE(Succeeded(Publish(scratch_.model(), rows)));
  const auto image = ScoreImage::Open(scratch_.model());
  ASSERT_TRUE(image);
  EXPECT_EQ(image->applied_seq(), 7U);
  EXPECT_EQ(image->row_bytes(), sizeof(ToyRow));
  EXPECT_EQ(image->meta(), (Meta{{"learner", "toy"}, {"empty", ""}}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(image->globals().data()), image->globals().size()),
            "globals");
  EXPECT_EQ(RowsOf(*image), rows);

  std::vector<uint64_t> ids = {0, 1, UINT64_MAX};
  for (const auto& [id, row] : rows) ids.insert(ids.end(), {id, id + 1});
  std::vector<const std::byte*> found;
  image->Find(ids, &found);
  ASSERT_EQ(found.size(), ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto expected = rows.find(ids[i]);
    ASSERT_EQ(found[i] != nullptr, expected != rows.end()) << ids[i];
    if (found[i] != nullptr) {
      EXPECT_EQ(std::memcmp(found[i], expected->second.data(), sizeof(ToyRow)), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScoreImageTest, testing::Values(0, 1, 2, 3, 1000, 20000));

// Ids of one group with one tag, which differ in their last bits, and a neighbour with another tag.
TEST_F(ScoreImageTest, TellsIdsApartThatHaveTheSameTag) {
  Rows rows;
  for (uint64_t i = 0; i < 100; ++i) rows[2 * i] = {i, i};
  rows[uint64_t{1} << 48] = {100, 100};
  ASSERT_TRUE(Succeeded(Publish(scratch_.model(), rows)));
  const auto image = ScoreImage::Open(scratch_.model());
  ASSERT_TRUE(image);
  EXPECT_EQ(RowsOf(*image), rows);
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 100; ++i) ids.insert(ids.end(), {2 * i + 1, 2 * i});
  ids.push_back(uint64_t{1} << 48);
  std::vector<const std::byte*> found;
  image->Find(ids, &found);
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSERT_EQ(found[i] == nullptr, !rows.contains(ids[i])) << ids[i];
    if (found[i] != nullptr) {
      EXPECT_EQ(std::memcmp(found[i], rows[ids[i]].data(), sizeof(ToyRow)), 0) << ids[i];
    }
  }
}

TEST_F(ScoreImageTest, EqualRowsAreStoredOnce) {
  constexpr size_t kRows = 1000;
  constexpr size_t kDistinct = 10;
  Rows rows;
  for (uint64_t i = 0; i < kRows; ++i) rows[i << 54U] = {i % kDistinct, 1};
  ASSERT_TRUE(Succeeded(Publish(scratch_.model(), rows)));
  const auto image = ScoreImage::Open(scratch_.model());
  ASSERT_TRUE(image);
  EXPECT_EQ(RowsOf(*image), rows);
  std::set<const std::byte*> places;
  for (const ScoreImage::Row& row : image->Rows()) places.insert(row.bytes);
  EXPECT_EQ(places.size(), kDistinct);
  EXPECT_LT(fs::file_size(ImagePath(scratch_.model())), kRows * sizeof(ToyRow));
}

TEST_F(ScoreImageTest, AnyDamageAndThereIsNone) {
  ASSERT_TRUE(
      Succeeded(Publish(scratch_.model(), {{1, {1, 2}}, {UINT64_MAX / 2, {3, 4}}, {UINT64_MAX, {5, 6}}})));
  const std::string whole = ReadFile(ImagePath(scratch_.model()));
  for (size_t size = 0; size < whole.size(); ++size) {
    WriteFile(ImagePath(scratch_.model()), whole.substr(0, size));
    EXPECT_FALSE(ScoreImage::Open(scratch_.model())) << size;
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    WriteFile(ImagePath(scratch_.model()), damaged);
    EXPECT_FALSE(ScoreImage::Open(scratch_.model())) << i;
  }
  WriteFile(ImagePath(scratch_.model()), whole);
  EXPECT_TRUE(ScoreImage::Open(scratch_.model()));
}

// Gives the image the checksum that its bytes have.
std::string WithRightChecksum(std::string bytes) {
  constexpr size_t kChecksumAt = 16;
  constexpr size_t kChecked = 24;
  const uint64_t checksum = XXH3_64bits(bytes.data() + kChecked, bytes.size() - kChecked);
  std::memcpy(bytes.data() + kChecksumAt, &checksum, sizeof checksum);
  return bytes;
}

// Looks at everything in the image: what is outside of it ends the program.
void Use(const ScoreImage& image) {
  volatile uint64_t sum = image.applied_seq();  // so that every byte is read
  for (const auto& [key, value] : image.meta()) sum = sum + key.size() + value.size();
  for (const std::byte each : image.globals()) sum = sum + static_cast<uint64_t>(each);
  std::vector<uint64_t> ids = {0, 1, UINT64_MAX / 2, UINT64_MAX};
  for (const ScoreImage::Row& row : image.Rows()) ids.push_back(row.id);
  std::vector<const std::byte*> found;
  image.Find(ids, &found);
  for (const std::byte* row : found)
    for (size_t i = 0; row != nullptr && i < image.row_bytes(); ++i)
      sum = sum + static_cast<uint64_t>(row[i]);
}

// A right checksum is no proof that thresher wrote it.
TEST_F(ScoreImageTest, OfForgedNumbersNothingIsUsedThatIsOutsideTheFile) {
  ASSERT_TRUE(
      Succeeded(Publish(scratch_.model(), {{1, {1, 2}}, {UINT64_MAX / 2, {3, 4}}, {UINT64_MAX, {5, 6}}})));
  const std::string whole = ReadFile(ImagePath(scratch_.model()));
  const auto expect_safe = [&](const std::string& bytes) {
    WriteFile(ImagePath(scratch_.model()), WithRightChecksum(bytes));
    if (const auto image = ScoreImage::Open(scratch_.model())) Use(*image);
  };
  expect_safe(whole);
  EXPECT_TRUE(ScoreImage::Open(scratch_.model()));
  for (size_t at = 24; at + sizeof(uint64_t) <= whole.size(); at += 4) {
    for (const uint64_t number :
         {uint64_t{0}, uint64_t{1}, uint64_t{7}, uint64_t{8}, uint64_t{4096}, uint64_t{1} << 32,
          uint64_t{1} << 61, uint64_t{1} << 63, UINT64_MAX - 7, UINT64_MAX}) {
      std::string forged = whole;
      std::memcpy(forged.data() + at, &number, sizeof number);
      expect_safe(forged);
    }
  }
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string forged = whole.substr(0, 72 + random() % (whole.size() - 71));
    for (uint64_t i = random() % 4; i > 0; --i)
      forged[24 + random() % (forged.size() - 24)] = static_cast<char>(random());
    expect_safe(forged);
  }
}

// Both forms of a checkpoint, with complete tables and with tables that hold a few rows.
TEST_F(ScoreImageTest, EveryCheckpointPublishesRowsWithWeight) {
  const fs::path dir = scratch_.path() / "toy";
  ToyTwin twin;
  for (int round = 0; round < 12; ++round) {
    auto model = *ToyModel::OpenOrCreate(dir, Durability::kOs);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(Succeeded(model->Learn()));
    ASSERT_TRUE(Succeeded(model->Checkpoint(round % 3 == 0 ? Way::kTables : Way::kBatch)));
    if (round == 5) fs::remove(ImagePath(dir));
    if (round == 5) continue;
    twin.LearnUpTo(model->applied_seq());
    const auto image = ScoreImage::Open(dir);
    ASSERT_TRUE(image) << round;
    EXPECT_EQ(image->applied_seq(), model->applied_seq());
    Rows weighing = twin.rows();
    std::erase_if(weighing, [](const auto& entry) { return !ToyHasWeight(entry.second); });
    EXPECT_EQ(RowsOf(*image), weighing);
  }
}

// A toy model with 40 examples and an image; then one that a process of its own taught, whose changes are
// beside the image.
class ChangedImageTest : public ScoreImageTest {
 protected:
  ChangedImageTest() {
    Learn(40);
    base_ = ReadFile(ImagePath(dir_));
    Learn(1);
  }

  void Learn(int examples) {
    auto model = *ToyModel::OpenOrCreate(dir_, Durability::kOs);
    for (int i = 0; i < examples; ++i) ASSERT_TRUE(Succeeded(model->Learn()));
    ASSERT_TRUE(Succeeded(model->Checkpoint()));
    learned_ += static_cast<uint64_t>(examples);
  }

  // What the image should be.
  Rows Weighing() const {
    ToyTwin twin;
    twin.LearnUpTo(learned_);
    Rows rows = twin.rows();
    std::erase_if(rows, [](const auto& entry) { return !ToyHasWeight(entry.second); });
    return rows;
  }

  fs::path dir_ = scratch_.path() / "toy";
  std::string base_;
  uint64_t learned_ = 0;
};

TEST_F(ChangedImageTest, WhoTeachesOneExampleWritesItsRowsOnly) {
  EXPECT_EQ(ReadFile(ImagePath(dir_)), base_);
  for (int round = 0; round < 30; ++round) {
    const auto image = ScoreImage::Open(dir_);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->applied_seq(), learned_);
    const Rows rows = RowsOf(*image);
    EXPECT_EQ(rows, Weighing());
    std::vector<uint64_t> ids;
    for (const auto& [id, row] : rows) ids.insert(ids.end(), {id, id + 1});
    std::vector<const std::byte*> found;
    image->Find(ids, &found);
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto expected = rows.find(ids[i]);
      ASSERT_EQ(found[i] != nullptr, expected != rows.end());
      if (found[i] != nullptr) {
        EXPECT_EQ(std::memcmp(found[i], expected->second.data(), sizeof(ToyRow)), 0);
      }
    }
    Learn(1);
  }
  EXPECT_EQ(ReadFile(ImagePath(dir_)), base_);
}

TEST_F(ChangedImageTest, WithDamagedChangesThereIsNone) {
  const std::string whole = ReadFile(ImageChangesPath(dir_));
  ASSERT_FALSE(whole.empty());
  for (size_t i = 0; i < whole.size(); i += 13) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    WriteFile(ImageChangesPath(dir_), damaged);
    EXPECT_FALSE(ScoreImage::Open(dir_)) << i;
  }
  Learn(1);  // this writer makes another one
  const auto image = ScoreImage::Open(dir_);
  ASSERT_TRUE(image);
  EXPECT_EQ(RowsOf(*image), Weighing());
}

TEST_F(ChangedImageTest, ChangesOfAnotherImageAreNotUsed) {
  const std::string changes = ReadFile(ImageChangesPath(dir_));
  ASSERT_TRUE(Succeeded(Publish(dir_, {{1, {1, 2}}})));
  EXPECT_FALSE(fs::exists(ImageChangesPath(dir_)));
  WriteFile(ImageChangesPath(dir_), changes);
  const auto image = ScoreImage::Open(dir_);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->applied_seq(), 7U);
  EXPECT_EQ(RowsOf(*image), (Rows{{1, {1, 2}}}));
}

TEST_F(ScoreImageTest, OneOfAnotherCheckpointIsWithdrawn) {
  const fs::path dir = scratch_.path() / "toy";
  auto model = *ToyModel::OpenOrCreate(dir, Durability::kOs);
  ASSERT_TRUE(Succeeded(model->Learn()));
  ASSERT_TRUE(Succeeded(model->Checkpoint()));
  const std::string old = ReadFile(ImagePath(dir));
  ASSERT_TRUE(Succeeded(model->Learn()));
  ASSERT_TRUE(Succeeded(model->Checkpoint()));
  model.reset();
  WriteFile(ImagePath(dir), old);
  ASSERT_TRUE(ScoreImage::Open(dir));
  model = *ToyModel::OpenOrCreate(dir, Durability::kOs);
  EXPECT_FALSE(ScoreImage::Open(dir));
}

TEST_F(ScoreImageTest, WhereItCannotBeWrittenTheOldOneGoes) {
  const fs::path dir = scratch_.path() / "toy";
  auto model = *ToyModel::OpenOrCreate(dir, Durability::kOs);
  ASSERT_TRUE(Succeeded(model->Learn()));
  ASSERT_TRUE(Succeeded(model->Checkpoint()));
  ASSERT_TRUE(ScoreImage::Open(dir));
  fs::create_directory(UnfinishedImagePath(dir));
  ASSERT_TRUE(Succeeded(model->Learn()));
  ASSERT_TRUE(Succeeded(model->Checkpoint()));
  EXPECT_FALSE(ScoreImage::Open(dir));
  fs::remove(UnfinishedImagePath(dir));
  ASSERT_TRUE(Succeeded(model->Learn()));
  ASSERT_TRUE(Succeeded(model->Checkpoint()));
  EXPECT_TRUE(ScoreImage::Open(dir));
}

}  // namespace
}  // namespace thresher::storage
