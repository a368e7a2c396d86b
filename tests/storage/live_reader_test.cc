// Readers beside a process that writes, checkpoints and compacts all the time, and beside a writer that does
// so between two steps of the reader: each must see the state of one moment.
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/database_impl.h"
#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

// Calls `act` once, when somebody has read a list of files and is about to look for logs.
class DiskThatActs final : public rocksdb::FileSystemWrapper {
 public:
  explicit DiskThatActs(std::function<void()> act)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), act_(std::move(act)) {}
  const char* Name() const override { return "DiskThatActs"; }

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override {
    has_list_ = has_list_ || path.find("MANIFEST") != std::string::npos;
    return FileSystemWrapper::NewSequentialFile(path, options, file, debug);
  }
  rocksdb::IOStatus GetChildren(const std::string& path, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names, rocksdb::IODebugContext* debug) override {
    if (has_list_ && act_) std::exchange(act_, nullptr)();
    return FileSystemWrapper::GetChildren(path, options, names, debug);
  }
  bool has_acted() const { return act_ == nullptr; }

 private:
  std::function<void()> act_;
  bool has_list_ = false;
};

void LearnSome(ToyModel& model) {
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(Succeeded(model.Learn()));
}

// What the list of files does not name yet is not read, although the log that is read next follows on it.
TEST(LiveReaderTest, AReaderIsNotBetweenTwoMoments) {
  const std::vector<std::function<void(ToyModel&)>> acts = {
      [](ToyModel& model) {
        ASSERT_TRUE(Succeeded(model.Checkpoint(Way::kTables)));
        LearnSome(model);
        ASSERT_TRUE(Succeeded(model.Checkpoint(Way::kBatch)));
      },
      [](ToyModel& model) { ASSERT_TRUE(Succeeded(model.Checkpoint(Way::kTables))); },
      [](ToyModel& model) { ASSERT_TRUE(Succeeded(model.Checkpoint(Way::kBatch))); },
      [](ToyModel& model) { ASSERT_TRUE(Succeeded(model.database().Compact())); }, LearnSome};
  for (size_t i = 0; i < acts.size(); ++i) {
    SCOPED_TRACE(i);
    const TestDirectory scratch;
    const auto writer = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(writer));
    LearnSome(**writer);
    ASSERT_TRUE(Succeeded((*writer)->Checkpoint(Way::kTables)));
    LearnSome(**writer);
    const auto disk = std::make_shared<DiskThatActs>([&] {
      acts[i](**writer);
      LearnSome(**writer);
    });
    DatabaseImpl::SetDisk(disk);
    const auto reader = ToyModel::OpenForReading(scratch.model());
    DatabaseImpl::SetDisk(rocksdb::FileSystem::Default());
    EXPECT_TRUE(disk->has_acted());
    ASSERT_TRUE(Succeeded(reader));
    ToyTwin twin;
    twin.LearnUpTo((*reader)->applied_seq());
    EXPECT_EQ((*reader)->Rows(), twin.rows());
    EXPECT_EQ((*reader)->log().last_seq(), (*writer)->log().last_seq());
    EXPECT_GE((*reader)->applied_seq(), 50U);
  }
}

TEST(LiveReaderTest, EveryReaderSeesTheStateOfOneMoment) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  ChildProcess child({"stroll", scratch.model().string(), "200"});
  std::string last;
  std::atomic<uint64_t> acknowledged = 0;
  std::thread drain([&] {
    for (std::string line = child.ReadLine(); !line.empty(); line = child.ReadLine()) {
      last = line;
      acknowledged = std::strtoull(line.c_str(), nullptr, 10);
    }
  });
  ToyTwin at_checkpoint;
  uint64_t advances = 0;
  const auto open_and_read = [&] {
    const uint64_t before = acknowledged;
    const auto reader = ToyModel::OpenForReading(scratch.model());
    ASSERT_TRUE(Succeeded(reader));
    const uint64_t applied = (*reader)->applied_seq();
    ASSERT_GE(applied, at_checkpoint.seq());
    advances += applied > at_checkpoint.seq() ? 1 : 0;
    at_checkpoint.LearnUpTo(applied);
    const auto rows = (*reader)->Rows();
    ASSERT_TRUE(Succeeded(rows));
    EXPECT_EQ(*rows, at_checkpoint.rows());
    const uint64_t taught = (*reader)->log().last_seq();
    EXPECT_GE(taught, std::max(applied, before));
    uint64_t seen = applied;
    ASSERT_TRUE(Succeeded((*reader)->log().Read(applied, [&](const Example& example) {
      EXPECT_EQ(example.seq, ++seen);
      return true;
    })));
    EXPECT_EQ(seen, taught);
  };
  for (int open = 0; (open < 120 || advances < 3) && !HasFailure(); ++open) open_and_read();
  kill(child.pid(), SIGKILL);
  drain.join();
  EXPECT_EQ(last.find_first_not_of("0123456789"), std::string::npos) << last;
}

}  // namespace
}  // namespace thresher::storage
