#include "storage/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "storage/example_log.h"
#include "storage/model_meta.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

Result<std::unique_ptr<Database>> OpenOrCreate(const fs::path& dir, const Meta& meta = {}) {
  return Database::OpenOrCreate(dir, meta, Durability::kOs, milliseconds(0));
}

std::vector<std::string> Names(const fs::path& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename());
  return names;
}

// Runs RocksDB itself on a model, as another version of this program might.
template <class Change>
void ChangeMeta(const fs::path& dir, const Change& change) {
  std::vector<std::string> names;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies({}, (dir / "db").string(), &names).ok());
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.reserve(names.size());
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open({}, (dir / "db").string(), families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> rocks(opened);
  change(*rocks);
  for (auto* handle : handles) ASSERT_TRUE(rocks->DestroyColumnFamilyHandle(handle).ok());
}

TEST(DatabaseTest, NoneIsMadeWhereNobodyCanTellWhetherThereIsOne) {
  const TestDirectory scratch;
  fs::create_directory(scratch.model());
  fs::create_directory_symlink("db", scratch.model() / "db");
  const auto refused = OpenOrCreate(scratch.model(), {});
  ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
  EXPECT_THAT(refused.error().message, HasSubstr("cannot read"));
}

TEST(DatabaseTest, KeepsTheMetaItWasMadeWith) {
  const TestDirectory scratch;
  const Meta meta{{"learner", "ftrl"}, {"options", std::string("a\0b\n", 4)}, {"empty", ""}, {"", "no name"}};
  EXPECT_FALSE(Database::CheckExists(scratch.model()).has_value());
  {
    const auto made = OpenOrCreate(scratch.model(), meta);
    ASSERT_TRUE(Succeeded(made));
    EXPECT_EQ((*made)->meta(), meta);
    EXPECT_EQ((*made)->ReadGlobals(), "");
    EXPECT_EQ((*made)->ReadAppliedSeq(), 0U);
  }
  EXPECT_TRUE(Database::CheckExists(scratch.model()).has_value());
  {
    const auto writer = OpenOrCreate(scratch.model(), {{"learner", "another"}});
    ASSERT_TRUE(Succeeded(writer));
    EXPECT_EQ((*writer)->meta(), meta);
  }
  const auto reader = Database::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  EXPECT_EQ((*reader)->meta(), meta);
}

TEST(DatabaseTest, AReaderOfNothingFailsAndMakesNothing) {
  const TestDirectory scratch;
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_FALSE(fs::exists(scratch.model()));
  fs::create_directory(scratch.model());
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(fs::is_empty(scratch.model()));
}

TEST(DatabaseTest, AModelThatLostItsDatabaseIsNotTakenForNone) {
  const TestDirectory scratch;
  {
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  }
  fs::remove_all(scratch.model() / "db");
  for (const auto& refused : {Database::OpenForReading(scratch.model()), OpenOrCreate(scratch.model())}) {
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
    EXPECT_THAT(refused.error().message, HasSubstr("/db is missing: restore a backup"));
  }
  fs::remove(scratch.model() / "image");
  fs::remove(scratch.model() / "logs");
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::CheckExists(scratch.model())));
}

TEST(DatabaseTest, LeavesADirectoryOfOthersAlone) {
  const TestDirectory scratch;
  std::ofstream(scratch.path() / "letter.txt") << "dear";
  const auto refused = OpenOrCreate(scratch.path());
  ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
  EXPECT_THAT(refused.error().message, HasSubstr("letter.txt"));
  EXPECT_EQ(Names(scratch.path()), std::vector<std::string>{"letter.txt"});
}

TEST(DatabaseTest, AFileInPlaceOfADirectoryIsAnError) {
  const TestDirectory scratch;
  std::ofstream(scratch.model()) << "file";
  EXPECT_FALSE(OpenOrCreate(scratch.model()).has_value());
  EXPECT_FALSE(OpenOrCreate(scratch.model() / "below").has_value());
  EXPECT_TRUE(FailedWith(ErrorKind::kIo, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, ACreationCutShortIsBegunAgain) {
  const TestDirectory scratch;
  fs::create_directories(scratch.model() / "db.new");
  std::ofstream(scratch.model() / "db.new" / "CURRENT") << "garbage";
  std::ofstream(scratch.model() / "writer") << "";
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, OneWriterAtATimeButReadersBesideIt) {
  const TestDirectory scratch;
  const auto writer = OpenOrCreate(scratch.model());
  ASSERT_TRUE(Succeeded(writer));
  EXPECT_TRUE(FailedWith(ErrorKind::kBusy, OpenOrCreate(scratch.model())));
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, AnotherFormatIsNamedAndRefused) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) { ASSERT_TRUE(rocks.Put({}, "format", "13").ok()); });
  for (const auto& refused : {OpenOrCreate(scratch.model()).map([](auto&&) {}),
                              Database::OpenForReading(scratch.model()).map([](auto&&) {})}) {
    ASSERT_TRUE(FailedWith(ErrorKind::kVersion, refused));
    EXPECT_THAT(refused.error().message, HasSubstr("format 13"));
    EXPECT_THAT(refused.error().message, HasSubstr("reads formats 2 to 12"));
  }
}

// A store of an older format is one of this format then.
TEST(DatabaseTest, ATextCanBeAdded) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) { ASSERT_TRUE(rocks.Put({}, "format", "4").ok()); });
  Meta meta;
  {
    const auto database = OpenOrCreate(scratch.model());
    ASSERT_TRUE(Succeeded(database));
    meta = (*database)->meta();
    meta.emplace("added", "text");
    ASSERT_TRUE(Succeeded((*database)->AddText("added", "text")));
    EXPECT_EQ((*database)->meta(), meta);
  }
  EXPECT_EQ(Database::OpenForReading(scratch.model()).value()->meta(), meta);
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) {
    std::string format;
    ASSERT_TRUE(rocks.Get({}, "format", &format).ok());
    EXPECT_EQ(format, kFormat);
  });
}

TEST(DatabaseTest, AnotherFormatIsNamedWhateverItsFamilies) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) {
    ASSERT_TRUE(rocks.Put({}, "format", "13").ok());
    rocksdb::ColumnFamilyHandle* added = nullptr;
    ASSERT_TRUE(rocks.CreateColumnFamily({}, "novelty", &added).ok());
    ASSERT_TRUE(rocks.DestroyColumnFamilyHandle(added).ok());
  });
  EXPECT_TRUE(FailedWith(ErrorKind::kVersion, OpenOrCreate(scratch.model())));
  EXPECT_TRUE(FailedWith(ErrorKind::kVersion, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, ARocksDbOfAnotherProgramIsNoModel) {
  const TestDirectory scratch;
  fs::create_directories(scratch.model());
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, (scratch.model() / "db").string(), &opened).ok());
  delete opened;
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, OpenOrCreate(scratch.model())));
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, AReaderRefusesToWrite) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  const auto reader = ToyModel::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->Learn()));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->Checkpoint()));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->database().Compact()));
}

TEST(DatabaseTest, SizesAddUpAndCompactionKeepsEverything) {
  const TestDirectory scratch;
  auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
  ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  ASSERT_TRUE(Succeeded((*model)->database().Compact()));
  const auto sizes = (*model)->database().ReadSizes();
  ASSERT_TRUE(Succeeded(sizes));
  uint64_t sum = 0;
  for (const auto& [part, size] : sizes->parts) sum += size;
  EXPECT_EQ(sizes->parts.size(), 6U);
  EXPECT_GT(sizes->parts.at("examples"), 10000U);
  EXPECT_GT(sizes->parts.at("image"), 0U);
  EXPECT_GE(sizes->total, sum);
  model->reset();
  const auto reader = ToyModel::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  ToyTwin twin;
  twin.LearnUpTo(300);
  EXPECT_EQ((*reader)->Rows(), twin.rows());
}

// After many short-lived writers a reader still opens few files.
TEST(DatabaseTest, ManyShortLivedWritersLeaveFewFiles) {
  for (const Way way : {Way::kBatch, Way::kTables}) {
    const TestDirectory scratch;
    for (int session = 0; session < 24; ++session) {
      const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
      ASSERT_TRUE(Succeeded(model));
      // Enough that closing flushes the log.
      for (int i = 0; i < 80; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      ASSERT_TRUE(Succeeded((*model)->Checkpoint(way)));
    }
    EXPECT_LT(Names(scratch.model() / "db").size(), 45U);
  }
}

// A small disk must not be full because a writer is running.
TEST(DatabaseTest, AWriterReservesNoSpace) {
  const TestDirectory scratch;
  const auto writer = OpenOrCreate(scratch.model());
  ASSERT_TRUE(Succeeded(writer));
  ASSERT_TRUE(Succeeded(ExampleLog(**writer).Append({.message_id = "a", .digest = "", .features = "f"})));
  for (const auto& entry : fs::recursive_directory_iterator(scratch.model())) {
    struct stat status {};
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_LT(status.st_blocks * 512, 256 << 10) << entry.path();
  }
}

TEST(DatabaseTest, WhatACheckpointCutShortLeavesIsRemoved) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  fs::create_directory(scratch.model() / "db.add");
  std::ofstream(scratch.model() / "db.add" / "weights.sst") << "half of a table";
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(fs::exists(scratch.model() / "db.add"));  // a writer may be at work
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  EXPECT_FALSE(fs::exists(scratch.model() / "db.add"));
}

}  // namespace
}  // namespace thresher::storage
