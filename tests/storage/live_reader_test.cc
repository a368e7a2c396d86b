// Readers beside a process that writes, checkpoints and compacts all the time: each must see the state of one
// moment.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

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
  for (int open = 0; (open < 120 || advances < 3) && !HasFailure(); ++open) {
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
  }
  kill(child.pid(), SIGKILL);
  drain.join();
  EXPECT_EQ(last.find_first_not_of("0123456789"), std::string::npos) << last;
}

}  // namespace
}  // namespace thresher::storage
