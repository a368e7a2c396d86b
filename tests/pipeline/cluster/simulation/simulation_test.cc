// The simulation of a shared log finds nothing wrong, is the same for one seed, and finds what was planted.
#include "tests/pipeline/cluster/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "tests/rounds.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

// Models are synced to disk at each snapshot and beginning, which a simulation needs only of its time.
std::filesystem::path FastFolder() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code unknown;
  const bool has_room = std::filesystem::space(memory, unknown).available > (uint64_t{256} << 20);
  return !unknown && has_room ? memory : std::filesystem::temp_directory_path();
}

SimulationOutcome Simulated(const Simulation& simulation) {
  const TestDirectory directory(FastFolder());
  return Simulate(simulation, directory.path());
}

// What is wrong with the first run that finds this. Whether a defect shows depends on chance.
std::vector<std::string> FoundWith(Planted planted, const std::string& what) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<std::string> wrong = Simulated({.seed = seed, .planted = planted}).wrong;
    for (const std::string& each : wrong) {
      if (each.find(what) != std::string::npos) return wrong;
    }
  }
  return {};
}

TEST(Simulation, AllModelsAreEqualWhateverFails) {
  uint64_t midway = 0;
  SimulatedNode::Counts sum;
  for (int seed = 1; seed <= Rounds(3); ++seed) {
    const SimulationOutcome outcome = Simulated({.seed = static_cast<uint64_t>(seed)});
    EXPECT_THAT(outcome.wrong, IsEmpty()) << "seed " << seed;
    EXPECT_GT(outcome.kills, 0U);
    midway += outcome.kills_midway;
    sum.duplicates += outcome.counts.duplicates;
    sum.foreign += outcome.counts.foreign;
    sum.given += outcome.counts.given;
    sum.taken += outcome.counts.taken;
    sum.found_to_differ += outcome.counts.found_to_differ;
  }
  // What it is for took place.
  EXPECT_GT(midway, 0U);
  EXPECT_GT(sum.duplicates, 0U);
  EXPECT_GT(sum.foreign, 0U);
  EXPECT_GT(sum.given, 0U);
  EXPECT_GT(sum.taken, 0U);
  EXPECT_GT(sum.found_to_differ, 0U);
}

TEST(Simulation, IsTheSameForOneSeed) {
  const Simulation small{.nodes = 4, .messages = 100, .seed = 7};
  const SimulationOutcome once = Simulated(small);
  const SimulationOutcome again = Simulated(small);
  EXPECT_THAT(once.wrong, IsEmpty());
  EXPECT_EQ(once.trace, again.trace);
  EXPECT_EQ(once.records, again.records);
  EXPECT_NE(once.trace, Simulated({.nodes = 4, .messages = 100, .seed = 8}).trace);
}

TEST(Simulation, FindsANodeThatAppliesTwice) {
  EXPECT_THAT(FoundWith(Planted::kForgetsAuthors, "the model of node "), Not(IsEmpty()));
}

TEST(Simulation, FindsThatAllNodesApplyTwice) {
  EXPECT_THAT(FoundWith(Planted::kAllForgetAuthors, "examples, and should have"), Not(IsEmpty()));
}

TEST(Simulation, FindsAnotherOrder) {
  EXPECT_THAT(FoundWith(Planted::kSwapsRecords, "the model of node "), Not(IsEmpty()));
}

TEST(Simulation, FindsThatAnOutboxIsLost) {
  EXPECT_THAT(FoundWith(Planted::kLosesOutbox, "two operations of number"), Not(IsEmpty()));
}

TEST(Simulation, FindsAWrongSnapshot) {
  EXPECT_THAT(FoundWith(Planted::kGivesWrongModel, "and that of another one was"), Not(IsEmpty()));
}

}  // namespace
}  // namespace thresher::pipeline
