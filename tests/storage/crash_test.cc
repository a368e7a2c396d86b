// Kills a learning process at random moments; what is recovered must be what was taught, to the bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/scratch_directory.h"
#include "tests/storage/toy_model.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// Everything `model` holds is what `twin`, brought to the same example, says.
void CheckAgainst(ToyModel& model, ToyTwin& twin) {
  const uint64_t last = model.log().last_seq();
  ASSERT_EQ(model.applied_seq(), last);
  twin.LearnUpTo(last);
  const auto rows = model.Rows();
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*rows, twin.rows());
  uint64_t seen = 0;
  ASSERT_TRUE(Succeeded(model.log().Read(0, [&](const Example& example) {
    EXPECT_EQ(example.seq, ++seen);
    EXPECT_EQ(example.features, ToyExample(seen).features);
    return true;
  })));
  EXPECT_EQ(seen, last);
  std::vector<uint64_t> ids;
  for (const auto& [id, row] : twin.rows()) ids.push_back(id);
  const auto texts = model.weights().Texts(ids);
  ASSERT_TRUE(Succeeded(texts));
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], ToyText(ids[i]));
}

void KillAndRecover(const std::string& durability, uint64_t seed, int rounds) {
  const ScratchDirectory scratch;
  std::mt19937_64 random(seed);
  ToyTwin twin;
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    uint64_t acknowledged = 0;
    {
      ChildProcess child({"teach", scratch.model().string(), durability});
      std::string last;
      for (uint64_t lines = random() % 300; lines > 0; --lines) last = child.ReadLine();
      const std::string drained = child.KillAndDrain();
      if (!drained.empty()) last = drained;
      ASSERT_EQ(last.find_first_not_of("0123456789"), std::string::npos) << last;
      if (!last.empty()) acknowledged = std::stoull(last);
    }
    // Sometimes the next child recovers, sometimes we do.
    if (random() % 2 == 0) continue;
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_GE((*model)->log().last_seq(), acknowledged);
    CheckAgainst(**model, twin);
    if (random() % 2 == 0) {
      ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
    }
  }
}

TEST(CrashTest, NothingAcknowledgedIsLostToAKill) { KillAndRecover("os", 1, 14); }
TEST(CrashTest, NothingAcknowledgedIsLostToAKillWhenSyncing) { KillAndRecover("sync", 2, 6); }

// The log of a killed writer, cut anywhere: what a crash of the machine leaves of writes that were not
// synced.
TEST(CrashTest, ATornLogIsRecoveredUpToItsLastWholeRecord) {
  const ScratchDirectory scratch;
  {
    ChildProcess child({"teach", scratch.model().string(), "os"});
    for (int lines = 0; lines < 120; ++lines) child.ReadLine();
  }
  fs::path log;
  for (const auto& entry : fs::directory_iterator(scratch.model() / "db")) {
    if (entry.path().extension() == ".log") log = std::max(log, entry.path());
  }
  ASSERT_FALSE(log.empty());
  const auto whole = fs::file_size(log);
  std::mt19937_64 random(4);
  uint64_t shortest = UINT64_MAX;
  for (int cut = 0; cut < 20 && !HasFailure(); ++cut) {
    const ScratchDirectory copy;
    fs::copy(scratch.model(), copy.model(), fs::copy_options::recursive);
    fs::resize_file(copy.model() / "db" / log.filename(), random() % (whole + 1));
    const auto reader = ToyModel::OpenForReading(copy.model());
    ASSERT_TRUE(Succeeded(reader));
    ToyTwin twin;
    // And goes on from there: what is written later lies behind the torn log, and is not cut off by it.
    for (int session = 0; session < 3; ++session) {
      const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kOs);
      ASSERT_TRUE(Succeeded(model));
      if (session == 0) {
        EXPECT_EQ((*reader)->log().last_seq(), (*model)->log().last_seq());
        shortest = std::min(shortest, (*model)->log().last_seq());
      } else {
        EXPECT_EQ((*model)->log().last_seq(), twin.seq());
      }
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      if (session == 1) {
        ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
      }
      CheckAgainst(**model, twin);
    }
  }
  EXPECT_LT(shortest, 120U);  // the cuts did cut
}

}  // namespace
}  // namespace thresher::storage
