#include "learners/distributed/tree_sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/learners/distributed/thread_group.h"

namespace thresher::learners::distributed {
namespace {

constexpr size_t kLength = 3;

// Numbers whose sum depends on the order in which they are added.
std::vector<double> VectorOf(size_t part, size_t round) {
  std::vector<double> numbers;
  for (size_t j = 0; j < kLength; ++j)
    numbers.push_back(std::exp2(static_cast<double>((7 * part + 5 * j + round) % 60)) / 3);
  return numbers;
}

// What each process has after two sums.
std::vector<std::vector<double>> Sums(size_t parts, size_t processes) {
  std::vector<std::vector<double>> results(processes);
  RunInThreads(processes, [&](Group& group) {
    const Parts divided = {parts, processes};
    TreeSum sum(group, divided, kLength);
    for (size_t round = 0; round < 2; ++round) {
      for (size_t part = divided.FirstOf(group.rank()); part < divided.FirstOf(group.rank() + 1); ++part) {
        EXPECT_EQ(divided.OwnerOf(part), group.rank());
        sum.Add(VectorOf(part, round));
      }
      std::vector<double> total(kLength);
      sum.Finish(total);
      auto& result = results[group.rank()];
      result.insert(result.end(), total.begin(), total.end());
    }
  });
  return results;
}

TEST(TreeSum, IsTheSameToTheBitForAnyNumberOfProcesses) {
  for (size_t parts = 1; parts <= 11; ++parts) {
    const std::vector<double> alone = Sums(parts, 1).front();
    for (size_t j = 0; j < kLength; ++j) {
      double sum = 0;
      for (size_t part = 0; part < parts; ++part) sum += VectorOf(part, 1)[j];
      EXPECT_NEAR(alone[kLength + j], sum, 1e-12 * sum);
    }
    for (size_t processes = 2; processes <= parts; ++processes) {
      for (const std::vector<double>& result : Sums(parts, processes))
        EXPECT_EQ(result, alone) << parts << " parts, " << processes << " processes";
    }
  }
}

TEST(TreeSum, SendsOneVectorOfEachProcessAndTheTotalToEach) {
  std::vector<uint64_t> sent(8);
  RunInThreads(8, [&](Group& group) {
    TreeSum sum(group, {8, 8}, kLength);
    sum.Add(VectorOf(group.rank(), 0));
    std::vector<double> total(kLength);
    sum.Finish(total);
    sent[group.rank()] = group.bytes_sent();
  });
  uint64_t all = 0;
  for (const uint64_t bytes : sent) all += bytes;
  EXPECT_EQ(all, (7U + 7U) * kLength * sizeof(double));
}

}  // namespace
}  // namespace thresher::learners::distributed
