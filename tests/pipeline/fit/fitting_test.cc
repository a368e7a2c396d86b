#include "pipeline/fit/fitting.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>
#include <thread>

#include "pipeline/fit/thread_team.h"
#include "tests/pipeline/program.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

ExampleStore Examples(uint64_t seed, size_t count = 200) {
  std::mt19937_64 random(seed);
  auto store = ExampleStore::Make();
  for (size_t i = 0; i < count; ++i) {
    std::vector<uint64_t> ids;
    std::vector<float> values;
    float sum = 0;
    for (uint64_t id = 0; id < 30; ++id) {
      if (random() % 4 != 0) continue;
      ids.push_back(id);
      values.push_back(static_cast<float>(random() % 7) - 3);
      sum += values.back() * static_cast<float>(id % 5) + static_cast<float>(random() % 5) - 2;
    }
    EXPECT_TRUE(store->Add(ids, values, sum > 0 ? 1 : -1).has_value());
  }
  EXPECT_TRUE(store->Finish().has_value());
  return *std::move(store);
}

FitOptions Options() {
  FitOptions options;
  options.options = {{"l2", "0.01"}};
  options.gap = 1e-6;
  return options;
}

TEST(Fitting, StopsAtTheGap) {
  const ExampleStore examples = Examples(1);
  int reports = 0;
  FitOptions options = Options();
  options.on_report = [&](const FitPoint&) { ++reports; };
  const auto fitted = Fit(examples, options);
  ASSERT_TRUE(fitted.has_value()) << fitted.error().message;
  EXPECT_TRUE(fitted->reached);
  EXPECT_EQ(fitted->points.size(), static_cast<size_t>(reports));
  EXPECT_LE(fitted->points.back().progress.gap, 1e-6 * fitted->points.back().progress.primal);
  EXPECT_GT(fitted->points[fitted->points.size() - 2].progress.gap,
            1e-6 * fitted->points.back().progress.primal);
  EXPECT_EQ(fitted->weights.size(), examples.ids().size());
}

TEST(Fitting, StopsWhenTheEpochsRunOut) {
  FitOptions options = Options();
  options.gap = 0;
  options.epochs = 3;
  const auto fitted = Fit(Examples(1), options);
  EXPECT_FALSE(fitted->reached);
  EXPECT_EQ(fitted->points.back().progress.epochs, 3U);
}

TEST(Fitting, AnInterruptionChangesNoBit) {
  const TestDirectory folder;
  const ExampleStore examples = Examples(2);
  FitOptions options = Options();
  options.gap = 0;
  options.epochs = 9;
  const auto whole = Fit(examples, options);
  options.resume = (folder / "state");
  options.epochs = 4;
  ASSERT_TRUE(Fit(examples, options).has_value());
  options.epochs = 9;
  const auto resumed = Fit(examples, options);
  ASSERT_TRUE(resumed.has_value());
  EXPECT_EQ(resumed->points.front().progress.epochs, 4U);
  EXPECT_EQ(whole->weights, resumed->weights);
  EXPECT_EQ(whole->points.back().progress.data_accesses, resumed->points.back().progress.data_accesses);
}

// Whichever epoch it was interrupted after, and whatever bound of the minimum was found there: sgd's bounds
// rise and fall.
TEST(Fitting, AnInterruptedFitEndsByTheGapWhereItWouldHaveEnded) {
  const TestDirectory folder;
  const ExampleStore examples = Examples(6);
  FitOptions options = Options();
  options.solver = "sgd";
  options.gap = 0.01;
  options.resume = folder / "whole";
  const auto whole = Fit(examples, options);
  ASSERT_TRUE(whole->reached);
  const std::string state = ReadBytes(options.resume);
  const uint64_t end = whole->points.back().progress.epochs;
  ASSERT_GT(end, 20U);
  for (uint64_t interruption = 1; interruption < end; ++interruption) {
    options.resume = folder / fmt::format("{}", interruption);
    options.epochs = interruption;
    ASSERT_TRUE(Fit(examples, options).has_value());
    options.epochs = 1000;
    const auto resumed = Fit(examples, options);
    EXPECT_EQ(resumed->points.back().progress.epochs, end) << interruption;
    EXPECT_TRUE(ReadBytes(options.resume) == state) << interruption;
  }
}

TEST(Fitting, AStateOfSomethingElseIsRefused) {
  const TestDirectory folder;
  FitOptions options = Options();
  options.resume = (folder / "state");
  ASSERT_TRUE(Fit(Examples(3), options).has_value());
  const auto error_of = [&](const ExampleStore& examples, const FitOptions& with) {
    const auto fitted = Fit(examples, with);
    return fitted ? "no error" : fitted.error().message;
  };
  EXPECT_EQ(error_of(Examples(3), options), "no error");
  EXPECT_THAT(error_of(Examples(3, 201), options),
              HasSubstr("not the state of the fit"));  // the store has grown
  FitOptions other = options;
  other.seed = 2;
  EXPECT_THAT(error_of(Examples(3), other), HasSubstr("not the state of the fit"));
  other = options;
  other.options = {{"l2", "0.02"}};
  EXPECT_THAT(error_of(Examples(3), other), HasSubstr("not the state of the fit"));

  std::ifstream file(options.resume, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  for (const size_t cut : {size_t{0}, size_t{5}, good.size() / 2, good.size() - 1}) {
    folder.Write("state", good.substr(0, cut));
    EXPECT_THAT(error_of(Examples(3), options), HasSubstr("state")) << cut;
  }
  std::string flipped = good;
  flipped[good.size() - 20] = static_cast<char>(flipped[good.size() - 20] ^ 1);
  folder.Write("state", flipped);
  EXPECT_THAT(error_of(Examples(3), options), HasSubstr("the state is damaged"));

  ASSERT_TRUE(good.starts_with("thresher-fit 2 "));
  folder.Write("state", "thresher-fit 1 " + good.substr(15));
  EXPECT_THAT(error_of(Examples(3), options), HasSubstr("not the state of a fit by this release"));
}

TEST(Fitting, ThreadsChangeNoBit) {
  const ExampleStore examples = Examples(4);
  FitOptions options = Options();
  options.solver = "asdca";
  options.gap = 0;
  options.epochs = 5;
  const auto one = Fit(examples, options);
  options.threads = 3;
  const auto three = Fit(examples, options);
  EXPECT_EQ(one->weights, three->weights);
}

TEST(Fitting, WhatOverflowsIsSaid) {
  auto store = ExampleStore::Make();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store->Add(std::vector<uint64_t>{1}, std::vector<float>{3e38F}, 1).has_value());
  }
  ASSERT_TRUE(store->Finish().has_value());
  FitOptions options;
  options.solver = "sgd";
  options.options = {{"loss", "hinge"}, {"l2", "1e-200"}};
  options.epochs = 50;
  const auto fitted = Fit(*store, options);
  ASSERT_FALSE(fitted.has_value());
  EXPECT_THAT(fitted.error().message, HasSubstr("scale the features"));
}

TEST(ThreadTeam, EveryPartIsDoneOnceEachTime) {
  ThreadTeam team(4);
  std::vector<std::atomic<int>> done(4);
  for (int round = 1; round <= 1000; ++round) {
    team.Run([&](size_t part, size_t parts) {
      EXPECT_EQ(parts, 4U);
      ++done[part];
    });
    for (const auto& each : done) ASSERT_EQ(each, round);
    if (round % 100 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long enough for the threads to sleep
  }
}

// A thread that is not scheduled delays nobody: another thread does its part.
TEST(ThreadTeam, PartsBelongToWhoComesFirst) {
  ThreadTeam team(2);
  const auto caller = std::this_thread::get_id();
  std::vector<std::thread::id> doers(2);
  bool did_both = false;
  for (int round = 0; round < 10'000 && !did_both; ++round) {
    team.Run([&](size_t part, size_t /*parts*/) { doers[part] = std::this_thread::get_id(); });
    did_both = doers[0] == caller && doers[1] == caller;
  }
  EXPECT_TRUE(did_both);
}

}  // namespace
}  // namespace thresher::pipeline
