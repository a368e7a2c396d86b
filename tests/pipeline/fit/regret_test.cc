#include "pipeline/fit/regret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "learners/registry.h"
#include "pipeline/error.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Regret, IsTheMeanDifferenceSoFar) {
  const std::vector<double> online = {4, 3, 2, 1};
  const std::vector<double> fixed = {1, 1, 1, 1};
  EXPECT_THAT(AverageRegret(online, fixed, std::vector<size_t>{1, 2, 4}), ElementsAre(3, 2.5, 1.5));
}

TEST(Regret, TimesAreRoundAndEndAtTheEnd) {
  EXPECT_THAT(RoundNumbersUpTo(30), ElementsAre(1, 2, 5, 10, 20, 30));
  EXPECT_THAT(RoundNumbersUpTo(1), ElementsAre(1));
  EXPECT_THAT(RoundNumbersUpTo(0), ElementsAre());
}

TEST(Regret, PlacesOfAPlotAreCloseTogether) {
  const auto places = PlacesUpTo(100000);
  EXPECT_EQ(places.front(), 1U);
  EXPECT_EQ(places.back(), 100000U);
  for (size_t k = 1; k < places.size(); ++k) {
    EXPECT_GT(places[k], places[k - 1]);
    EXPECT_LE(places[k], std::max(places[k - 1] + 1, places[k - 1] * 11 / 10));
  }
  EXPECT_TRUE(PlacesUpTo(0).empty());
}

// The losses of plain gradient descent, computed by hand.
TEST(Regret, LossesAreThoseBeforeLearning) {
  std::mt19937_64 random(1);
  auto store = ExampleStore::Make();
  std::map<uint64_t, double> weights;
  std::vector<double> expected;
  for (int i = 0; i < 50; ++i) {
    const float target = random() % 2 == 0 ? 1 : -1;
    std::vector<uint64_t> ids;
    std::vector<float> values;
    double margin = 0;
    for (uint64_t id = 0; id < 5; ++id) {
      if (random() % 2 != 0) continue;
      ids.push_back(1000 - id);
      values.push_back(static_cast<float>(random() % 5) + 1);
      margin += weights[ids.back()] * static_cast<double>(values.back());
    }
    ASSERT_TRUE(store->Add(ids, values, target).has_value());
    const auto y = static_cast<double>(target);
    expected.push_back(std::log1p(std::exp(-y * margin)));
    for (size_t k = 0; k < ids.size(); ++k) {
      weights[ids[k]] += 0.25 * y / (1 + std::exp(y * margin)) * static_cast<double>(values[k]);
    }
  }
  ASSERT_TRUE(store->Finish().has_value());
  auto learner = learners::MakeLearner(
      "lazy-sgd", {{"learning_rate", "0.25"}, {"l1", "0"}, {"l2", "0"}, {"min_gradient", "0"}});
  const auto losses = OnlineLosses(*store, *std::move(learner));
  ASSERT_EQ(losses.size(), expected.size());
  for (size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 1e-12);
}

TEST(Regret, EveryLearnerHasSome) {
  TestDirectory directory;
  std::string lines;
  for (int i = 0; i < 60; ++i) lines += i % 2 == 0 ? "+1 1:1 3:0.5\n" : "-1 2:1 3:0.5\n";
  std::vector<std::string> arguments = {"regret", directory.Write("a", lines), "--plot", directory / "plot"};
  for (const auto& spec : learners::AllLearners()) {
    arguments.insert(arguments.end(), {"--learner", std::string(spec.name)});
  }
  const Ran ran = RunThresher(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const auto& spec : learners::AllLearners()) EXPECT_THAT(ran.out, HasSubstr(std::string(spec.name)));
  EXPECT_THAT(ReadBytes(directory.path() / "plot"), HasSubstr("</svg>"));
}

TEST(Regret, LearnersTakeOptions) {
  TestDirectory directory;
  const std::string file = directory.Write("a", "+1 1:1 3:0.5\n-1 2:1 3:0.5\n+1 1:2\n-1 2:1\n");
  const auto last_mean = [&](const std::string& learner) {
    const Ran ran = RunThresher({"regret", file, "--learner", learner, "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out).at("learners").at(learner).at("mean_loss").get<double>();
  };
  EXPECT_NE(last_mean("ftrl"), last_mean("ftrl alpha=0.01"));
  EXPECT_EQ(last_mean("ftrl alpha=0.01"), last_mean("ftrl alpha=1e-2"));
  EXPECT_EQ(RunThresher({"regret", file, "--learner", "ftrl alhpa=1"}).exit_code, kConfig);
  EXPECT_EQ(RunThresher({"regret", file, "--learner", "ftrl alpha"}).exit_code, kUsage);
}

// A fit may take an hour.
TEST(Regret, WhatIsWrongIsSaidBeforeAnExampleIsRead) {
  const auto exit_code = [](const std::string& flag, const std::string& value) {
    return RunThresher({"regret", "/no/such/file", flag, value}).exit_code;
  };
  EXPECT_EQ(exit_code("--learner", "ftrl"), kNoInput);
  EXPECT_EQ(exit_code("--learner", "no-learner"), kConfig);
  EXPECT_EQ(exit_code("--learner", "ftrl alpha"), kUsage);
  EXPECT_EQ(exit_code("--l1", "-1"), kUsage);
  EXPECT_EQ(exit_code("--l2", "0"), kUsage);
}

}  // namespace
}  // namespace thresher::pipeline
