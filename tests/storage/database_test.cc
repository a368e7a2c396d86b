#include "storage/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "storage/example_log.h"
#include "tests/storage/outcome.h"
#include "tests/storage/scratch_directory.h"
#include "tests/storage/toy_model.h"

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

TEST(DatabaseTest, KeepsTheMetaItWasMadeWith) {
  const ScratchDirectory scratch;
  const Meta meta{{"learner", "ftrl"}, {"options", std::string("a\0b\n", 4)}, {"empty", ""}, {"", "no name"}};
  EXPECT_FALSE(Database::Exists(scratch.model()));
  {
    const auto made = OpenOrCreate(scratch.model(), meta);
    ASSERT_TRUE(Succeeded(made));
    EXPECT_EQ((*made)->meta(), meta);
    EXPECT_EQ((*made)->ReadGlobals(), "");
    EXPECT_EQ((*made)->ReadAppliedSeq(), 0U);
  }
  EXPECT_TRUE(Database::Exists(scratch.model()));
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
  const ScratchDirectory scratch;
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_FALSE(fs::exists(scratch.model()));
  fs::create_directory(scratch.model());
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(fs::is_empty(scratch.model()));
}

TEST(DatabaseTest, LeavesADirectoryOfOthersAlone) {
  const ScratchDirectory scratch;
  std::ofstream(scratch.path() / "letter.txt") << "dear";
  const auto refused = OpenOrCreate(scratch.path());
  ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
  EXPECT_THAT(refused.error().message, HasSubstr("letter.txt"));
  EXPECT_EQ(Names(scratch.path()), std::vector<std::string>{"letter.txt"});
}

TEST(DatabaseTest, AFileInPlaceOfADirectoryIsAnError) {
  const ScratchDirectory scratch;
  std::ofstream(scratch.model()) << "file";
  EXPECT_FALSE(OpenOrCreate(scratch.model()).has_value());
  EXPECT_FALSE(OpenOrCreate(scratch.model() / "below").has_value());
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, ACreationCutShortIsBegunAgain) {
  const ScratchDirectory scratch;
  fs::create_directories(scratch.model() / "db.new");
  std::ofstream(scratch.model() / "db.new" / "CURRENT") << "garbage";
  std::ofstream(scratch.model() / "writer") << "";
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, OneWriterAtATimeButReadersBesideIt) {
  const ScratchDirectory scratch;
  const auto writer = OpenOrCreate(scratch.model());
  ASSERT_TRUE(Succeeded(writer));
  EXPECT_TRUE(FailedWith(ErrorKind::kBusy, OpenOrCreate(scratch.model())));
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, AnotherFormatIsNamedAndRefused) {
  const ScratchDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) { ASSERT_TRUE(rocks.Put({}, "format", "7").ok()); });
  for (const auto& refused : {OpenOrCreate(scratch.model()).map([](auto&&) {}),
                              Database::OpenForReading(scratch.model()).map([](auto&&) {})}) {
    ASSERT_TRUE(FailedWith(ErrorKind::kVersion, refused));
    EXPECT_THAT(refused.error().message, HasSubstr("format 7"));
    EXPECT_THAT(refused.error().message, HasSubstr("reads formats 2 to 5"));
  }
}

// A store of an older format is one of this format then.
TEST(DatabaseTest, ATextCanBeAdded) {
  const ScratchDirectory scratch;
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
    EXPECT_EQ(format, "5");
  });
}

TEST(DatabaseTest, AnotherFormatIsNamedWhateverItsFamilies) {
  const ScratchDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  ChangeMeta(scratch.model(), [](rocksdb::DB& rocks) {
    ASSERT_TRUE(rocks.Put({}, "format", "7").ok());
    rocksdb::ColumnFamilyHandle* added = nullptr;
    ASSERT_TRUE(rocks.CreateColumnFamily({}, "novelty", &added).ok());
    ASSERT_TRUE(rocks.DestroyColumnFamilyHandle(added).ok());
  });
  EXPECT_TRUE(FailedWith(ErrorKind::kVersion, OpenOrCreate(scratch.model())));
  EXPECT_TRUE(FailedWith(ErrorKind::kVersion, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, ARocksDbOfAnotherProgramIsNoModel) {
  const ScratchDirectory scratch;
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
  const ScratchDirectory scratch;
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  const auto reader = ToyModel::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->Learn()));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->Checkpoint()));
  EXPECT_TRUE(FailedWith(ErrorKind::kMisuse, (*reader)->database().Compact()));
}

TEST(DatabaseTest, SizesAddUpAndCompactionKeepsEverything) {
  const ScratchDirectory scratch;
  auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
  ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  ASSERT_TRUE(Succeeded((*model)->database().Compact()));
  const auto sizes = (*model)->database().ReadSizes();
  ASSERT_TRUE(Succeeded(sizes));
  uint64_t sum = 0;
  for (const auto& [family, size] : sizes->families) sum += size;
  EXPECT_EQ(sizes->families.size(), 5U);
  EXPECT_GT(sizes->families.at("examples"), 10000U);
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
    const ScratchDirectory scratch;
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
  const ScratchDirectory scratch;
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
  const ScratchDirectory scratch;
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  fs::create_directory(scratch.model() / "db.add");
  std::ofstream(scratch.model() / "db.add" / "weights.sst") << "half of a table";
  EXPECT_TRUE(Succeeded(Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(fs::exists(scratch.model() / "db.add"));  // a writer may be at work
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  EXPECT_FALSE(fs::exists(scratch.model() / "db.add"));
}

fs::perms ModeOf(const fs::path& path) { return fs::status(path).permissions(); }

TEST(DatabaseTest, OnlyTheOwnerMayLookIntoAModelWhateverTheUmask) {
  for (const mode_t mask : {0022, 0000, 0777}) {
    const ScratchDirectory scratch;
    fs::create_directory(scratch.path() / "store");
    fs::permissions(scratch.path() / "store", fs::perms::all);
    const mode_t before = umask(mask);
    const auto made = OpenOrCreate(scratch.path() / "store" / "model");
    umask(before);
    EXPECT_EQ(ModeOf(scratch.path() / "store" / "model"), fs::perms::owner_all);
    EXPECT_EQ(ModeOf(scratch.path() / "store"), fs::perms::all);  // the user's own
  }
}

TEST(DatabaseTest, ADirectoryThatWasThereKeepsItsMode) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.model());
  fs::permissions(scratch.model(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  const auto before = ModeOf(scratch.model());
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  EXPECT_EQ(ModeOf(scratch.model()), before);
}

TEST(DatabaseTest, IsMadeUnderARelativePathAsWell) {
  const ScratchDirectory scratch;
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  for (const char* dir : {"model", "below/it/", "./other"}) EXPECT_TRUE(Succeeded(OpenOrCreate(dir))) << dir;
  EXPECT_EQ(ModeOf("below/it"), fs::perms::owner_all);
  fs::current_path(before);
}

constexpr uid_t kNobody = 65534;

// While an object of this class exists, the process has the rights of an ordinary user.
class AsNobody {
 public:
  AsNobody() { EXPECT_EQ(seteuid(kNobody), 0); }
  ~AsNobody() { EXPECT_EQ(seteuid(0), 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
};

// Lets everybody read the folder, but only root write to it.
void MakeReadOnly(const fs::path& dir) {
  const auto search = fs::perms::group_exec | fs::perms::others_exec;
  const auto read = fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read;
  fs::permissions(dir, read | search);
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    fs::permissions(entry.path(), entry.is_directory() ? read | search : read);
  }
}

TEST(DatabaseTest, ReadsWhereItMayNotWrite) {
  const ScratchDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  MakeReadOnly(scratch.path());
  const auto before = Names(scratch.model() / "db");
  {
    const AsNobody nobody;
    EXPECT_TRUE(Succeeded(ToyModel::OpenForReading(scratch.model())));
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrCreate(scratch.model())));
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrCreate(scratch.path() / "other")));
  }
  EXPECT_EQ(Names(scratch.model() / "db"), before);
}

TEST(DatabaseTest, WhatMayNotBeReadIsDenied) {
  const ScratchDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  MakeReadOnly(scratch.path());
  fs::permissions(scratch.model() / "db" / "CURRENT", fs::perms::owner_all);
  const AsNobody nobody;
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseTest, WhatMayNotBeLookedAtIsDeniedNotMissing) {
  const ScratchDirectory scratch;  // is its owner's alone
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  const AsNobody nobody;
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrCreate(scratch.model())));
}

TEST(DatabaseTest, ALockFileThatMayNotBeWrittenIsDenied) {
  const ScratchDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(OpenOrCreate(scratch.model())));
  fs::permissions(scratch.path(), fs::perms::all);
  for (const auto& own : {scratch.model(), scratch.model() / "db"})
    ASSERT_EQ(chown(own.c_str(), kNobody, kNobody), 0);
  fs::permissions(scratch.model() / "writer", fs::perms::none);
  const AsNobody nobody;
  const auto refused = OpenOrCreate(scratch.model());
  ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
  EXPECT_THAT(refused.error().message, HasSubstr("writer"));
}

}  // namespace
}  // namespace thresher::storage
