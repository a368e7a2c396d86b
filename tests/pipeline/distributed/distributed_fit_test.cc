// Threads take the place of processes here; tests/mpi runs processes.
#include "pipeline/distributed/distributed_fit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "pipeline/distributed/file_lines.h"
#include "pipeline/distributed/part_rows.h"
#include "tests/learners/distributed/divided_problem.h"
#include "tests/learners/distributed/thread_group.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using learners::distributed::Group;
using learners::distributed::RunInThreads;
using testing::HasSubstr;

std::string Lines(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += random() % 2 == 0 ? "1" : "-1";
    for (uint64_t id = 3; id < 3000; id *= 3 - random() % 2)
      text += fmt::format(" {}:{}", id, static_cast<double>(random() % 9) / 16);
    text += i % 7 == 0 ? " # a comment\n" : "\n";
  }
  return text;
}

std::string TextOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct FitRun {
  int code = -1;
  std::string out;
  std::string err;
};

FitRun FitInThreads(size_t processes, const DistributedOptions& options) {
  std::vector<int> codes(processes);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  RunInThreads(processes, [&](Group& group) { codes[group.rank()] = RunDistributedFit(group, options); });
  FitRun run = {.code = codes[0],
                .out = testing::internal::GetCapturedStdout(),
                .err = testing::internal::GetCapturedStderr()};
  for (const int code : codes) EXPECT_EQ(code, codes[0]);
  return run;
}

DistributedOptions OptionsFor(const TestDirectory& directory, const std::string& solver = "sdca") {
  return {.input = directory / "examples",
          .solver = solver,
          .options = {{"loss", "smoothed-hinge"}, {"l2", "0.01"}},
          .parts = 6,
          .weights = directory / "weights"};
}

TEST(FileLines, RangesThatMeetHaveEachLineOnce) {
  const TestDirectory directory;
  const std::string path = directory.Write("examples", "1 5:1\n\n-1 6:2\n# none\n1 7:3\n-1 8:4");
  const uint64_t size = SizeOfLines(path).value();
  for (uint64_t cut = 0; cut <= size; ++cut) {
    std::vector<uint64_t> numbers;
    const auto take = [&](const LineExample& example) { numbers.push_back(example.numbers.at(0)); };
    ASSERT_TRUE(ForEachLineOf(path, {0, cut}, take).has_value());
    ASSERT_TRUE(ForEachLineOf(path, {cut, size}, take).has_value());
    EXPECT_THAT(numbers, testing::ElementsAre(5, 6, 7, 8)) << cut;
  }
}

TEST(FileLines, AFailedReadIsAnErrorInEachRange) {
  const TestDirectory directory;
  const auto none = [](const LineExample&) { ADD_FAILURE(); };
  for (const uint64_t begin : {0U, 5U}) {  // a folder can be opened, but not be read
    const auto read = ForEachLineOf(directory.path().string(), {begin, 10}, none);
    ASSERT_FALSE(read.has_value()) << begin;
    EXPECT_EQ(read.error().exit_code, kNoInput);
    EXPECT_THAT(read.error().message, testing::StartsWith(directory.path().string() + ": "));
  }
}

TEST(FileLines, OverlongLinesAreRefused) {
  const TestDirectory directory;
  const std::string path = directory.Write("examples", "1 5:1\n1 6:1 # ");
  std::filesystem::resize_file(path, uint64_t{70} << 20);  // as zeros, which take no room
  size_t taken = 0;
  const auto read = ForEachLineOf(path, {0, SizeOfLines(path).value()}, [&](const LineExample&) { ++taken; });
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().exit_code, kData);
  EXPECT_EQ(read.error().message, path + ": the line at byte 6: a line of more than 64 MiB");
  EXPECT_EQ(taken, 1U);
}

TEST(FileLines, CompressedFilesAreRefused) {
  const TestDirectory directory;
  const auto size =
      SizeOfLines(directory.Write("examples.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\0", 10)));
  ASSERT_FALSE(size.has_value());
  EXPECT_THAT(size.error().message, HasSubstr("is compressed"));
}

// Beside the division of all rows at once.
TEST(DivideByFeatures, GivesEachProcessAllRowsOfItsFeatures) {
  std::mt19937_64 random(5);
  for (const size_t processes : {1U, 2U, 3U, 5U, 8U}) {
    const learners::distributed::Parts parts = {processes + random() % 3, processes};
    constexpr uint32_t kFeatures = 23;
    PartRows all;
    std::vector<std::vector<PartRows>> read(processes);
    for (size_t rank = 0; rank < processes; ++rank) {
      read[rank].resize(parts.FirstOf(rank + 1) - parts.FirstOf(rank));
      for (PartRows& part : read[rank]) {
        for (size_t row = random() % 4; row > 0; --row) {
          for (uint32_t column = 0; column < kFeatures; ++column) {
            if (random() % 3 != 0) continue;
            const auto value = static_cast<float>(random() % 1000);
            for (PartRows* to : {&part, &all}) {
              to->indices.push_back(column);
              to->values.push_back(value);
            }
          }
          const auto target = static_cast<float>(random() % 1000);
          for (PartRows* to : {&part, &all}) {
            to->starts.push_back(to->indices.size());
            to->targets.push_back(target);
          }
        }
      }
    }
    RunInThreads(processes, [&](Group& group) {
      learners::distributed::Share share{.group = group, .parts = parts, .own = {}, .features = kFeatures};
      const std::vector<PartRows> own = DivideByFeatures(share, read[group.rank()]);
      const learners::distributed::DividedProblem twin(
          all.View(kFeatures), learners::distributed::Share::By::kFeatures, parts, group);
      ASSERT_EQ(own.size(), twin.share().own.size());
      for (size_t k = 0; k < own.size(); ++k) {
        const learners::batch::SparseLines expected = twin.share().own[k].rows;
        EXPECT_TRUE(std::ranges::equal(own[k].starts, expected.starts));
        EXPECT_TRUE(std::ranges::equal(own[k].indices, expected.indices));
        EXPECT_TRUE(std::ranges::equal(own[k].values, expected.values));
        EXPECT_EQ(own[k].targets, all.targets);
      }
    });
  }
}

class DistributedFit : public testing::TestWithParam<const char*> {};

TEST_P(DistributedFit, GivesTheSameWeightsForAnyNumberOfProcesses) {
  const TestDirectory directory;
  directory.Write("examples", Lines(1, 80));
  const DistributedOptions options = OptionsFor(directory, GetParam());
  const FitRun alone = FitInThreads(1, options);
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("80 examples"));
  EXPECT_THAT(alone.out, HasSubstr("stopped at a gap of 0.0001 of the objective"));
  const std::string weights = TextOfFile(options.weights);
  EXPECT_GT(weights.size(), 100U);
  for (const size_t processes : {2U, 5U}) {
    EXPECT_EQ(FitInThreads(processes, options).code, 0);
    EXPECT_EQ(TextOfFile(options.weights), weights) << processes;
  }
}

TEST_P(DistributedFit, ResumesWithAnyNumberOfProcesses) {
  const TestDirectory directory;
  directory.Write("examples", Lines(2, 60));
  DistributedOptions options = OptionsFor(directory, GetParam());
  options.gap = 0;
  options.epochs = 7;
  ASSERT_EQ(FitInThreads(2, options).code, 0);
  const std::string uninterrupted = TextOfFile(options.weights);
  options.resume = directory / "state";
  options.epochs = 3;
  ASSERT_EQ(FitInThreads(2, options).code, 0);
  const std::string state = TextOfFile(options.resume);
  std::filesystem::remove(options.resume);
  ASSERT_EQ(FitInThreads(3, options).code, 0);
  EXPECT_EQ(TextOfFile(options.resume), state);
  EXPECT_NE(TextOfFile(options.weights), uninterrupted);
  options.epochs = 7;
  ASSERT_EQ(FitInThreads(4, options).code, 0);
  EXPECT_EQ(TextOfFile(options.weights), uninterrupted);
}

TEST_P(DistributedFit, EndsByTheGapWhereItWouldHaveWithoutAnInterruption) {
  const TestDirectory directory;
  directory.Write("examples", Lines(2, 60));
  DistributedOptions options = OptionsFor(directory, GetParam());
  options.gap = 1e-3;
  ASSERT_EQ(FitInThreads(2, options).code, 0);
  const std::string uninterrupted = TextOfFile(options.weights);
  options.resume = directory / "state";
  for (uint64_t interruption = 1; interruption <= 16; ++interruption) {
    options.epochs = interruption;
    ASSERT_EQ(FitInThreads(2, options).code, 0);
    options.epochs = 1000;
    ASSERT_EQ(FitInThreads(2, options).code, 0);
    EXPECT_EQ(TextOfFile(options.weights), uninterrupted) << interruption;
    std::filesystem::remove(options.resume);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, DistributedFit,
                         testing::Values("sdca", "sdca-by-features", "asdca", "asdca-by-features", "agd"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

// At the minimum primal and dual differ by rounding, and the dual may be the larger one.
TEST(DistributedFitReport, AGapIsNeverBelowZero) {
  const TestDirectory directory;
  DistributedOptions options = OptionsFor(directory);
  options.options["l2"] = "1";
  options.gap = 0;
  options.epochs = 100;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    directory.Write("examples", Lines(seed, 30));
    EXPECT_THAT(FitInThreads(1, options).out, testing::Not(HasSubstr(" -"))) << seed;
  }
}

TEST(DistributedFitErrors, AStateOfOtherPartsIsRefused) {
  const TestDirectory directory;
  directory.Write("examples", Lines(3, 30));
  DistributedOptions options = OptionsFor(directory);
  options.resume = directory / "state";
  ASSERT_EQ(FitInThreads(1, options).code, 0);
  options.parts = 5;
  const FitRun run = FitInThreads(2, options);
  EXPECT_EQ(run.code, kData);
  EXPECT_THAT(run.err, HasSubstr("it is not the state of the fit"));
}

TEST(DistributedFitErrors, OneProcessReportsAndAllEnd) {
  const TestDirectory directory;
  DistributedOptions options = OptionsFor(directory);
  options.weights.clear();
  EXPECT_EQ(FitInThreads(3, options).code, kNoInput);
  directory.Write("examples", Lines(4, 30) + "1 3:x\n");
  const FitRun bad = FitInThreads(3, options);
  EXPECT_EQ(bad.code, kData);
  EXPECT_THAT(bad.err, testing::StartsWith("thresher: " + options.input + ": the line at byte "));
  EXPECT_EQ(std::ranges::count(bad.err, '\n'), 1);
  directory.Write("examples", "7 3:1\n");
  EXPECT_THAT(FitInThreads(3, options).err, HasSubstr("the label 7; this loss expects 1 or -1"));
  directory.Write("examples", "\n");
  EXPECT_THAT(FitInThreads(3, options).err, HasSubstr("there are no examples"));
  options.parts = 2;
  EXPECT_EQ(FitInThreads(3, options).code, kUsage);
  options.solver = "scd";
  EXPECT_EQ(FitInThreads(3, options).code, kConfig);
}

TEST(DistributedOptions, AreTheirText) {
  const DistributedOptions options = {.input = "a \"b",
                                      .solver = "agd",
                                      .options = {{"l2", "1e-05"}},
                                      .parts = 3,
                                      .gap = 1e-7,
                                      .epochs = 12,
                                      .seed = 9,
                                      .resume = "r",
                                      .weights = "w",
                                      .json = true};
  const DistributedOptions read = OptionsOfText(TextOf(options).value()).value();
  EXPECT_EQ(TextOf(read).value(), TextOf(options).value());
  EXPECT_EQ(TextOf({.input = "caf\xe9", .options = {}}).error().exit_code, kUsage);
  EXPECT_EQ(read.input, options.input);
  EXPECT_EQ(read.gap, options.gap);
  EXPECT_EQ(OptionsOfText("{}").error().exit_code, kUsage);
  EXPECT_EQ(OptionsOfText("").error().exit_code, kUsage);
}

}  // namespace
}  // namespace thresher::pipeline
