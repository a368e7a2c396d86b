#include "pipeline/trec/fusion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "eval/roc.h"

namespace thresher::pipeline {
namespace {

using eval::Outcome;

double LogOdds(double p) { return std::log(p / (1 - p)); }

TEST(Fusion, AverageIsTheMeanOfTheLogOdds) {
  Fusion fusion(3, FusionMethod::kAverage);
  const std::vector<Outcome> said = {{.judged_spam = true, .probability = 0.9},
                                     {.judged_spam = true, .probability = 0.2},
                                     {.judged_spam = true, .probability = 0.7}};
  for (int round = 0; round < 3; ++round) {  // the average does not learn
    const Outcome fused = fusion.Fuse(said);
    EXPECT_TRUE(fused.judged_spam);
    EXPECT_TRUE(fused.called_spam);
    EXPECT_NEAR(fused.score, (LogOdds(0.9) + LogOdds(0.2) + LogOdds(0.7)) / 3, 1e-12);
    EXPECT_NEAR(LogOdds(fused.probability), fused.score, 1e-9);
  }
}

TEST(Fusion, NobodyIsSureForEver) {
  Fusion fusion(2, FusionMethod::kAverage);
  const Outcome fused = fusion.Fuse(std::vector<Outcome>{{.probability = 1}, {.probability = 0}});
  EXPECT_NEAR(fused.score, 0, 1e-9);
  EXPECT_TRUE(std::isfinite(fusion.Fuse(std::vector<Outcome>{{.probability = 1}, {.probability = 1}}).score));
}

TEST(Fusion, StackingIsPredictedBeforeItIsLearned) {
  Fusion fusion(2, FusionMethod::kStacking);
  const std::vector<Outcome> said = {{.judged_spam = true, .probability = 0.2},
                                     {.judged_spam = true, .probability = 0.4}};
  const double x[] = {LogOdds(0.2), LogOdds(0.4), 1};
  const Outcome first = fusion.Fuse(said);
  EXPECT_NEAR(first.score, (x[0] + x[1]) / 2, 1e-12);
  // Computed by hand from the formula.
  const double error = 1 / (1 + std::exp(-first.score)) - 1;
  double second = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double gradient = error * x[i];
    second += ((i < 2 ? 0.5 : 0) - 0.05 * gradient / std::sqrt(1 + gradient * gradient)) * x[i];
  }
  EXPECT_NEAR(fusion.Fuse(said).score, second, 1e-12);
}

// Two filters with independent noise; the second is worse, has another scale, or gives no probabilities.
struct Streams {
  std::vector<std::vector<Outcome>> messages;
  double first_area;
};

Streams TwoFilters(double second_noise, bool probabilities) {
  std::mt19937_64 random(5);
  std::normal_distribution normal;
  Streams streams;
  std::vector<Outcome> first;
  for (int i = 0; i < 6000; ++i) {
    const bool spam = random() % 2 == 0;
    const double side = spam ? 1 : -1;
    const double a = side + 0.8 * normal(random);
    const double b = side + second_noise * normal(random);
    Outcome one{spam, a > 0, a};
    Outcome two{spam, b > 0, 100 * b};
    if (probabilities) {
      one.probability = 1 / (1 + std::exp(-2 * a / (0.8 * 0.8)));
      two.probability = 1 / (1 + std::exp(-2 * b / (second_noise * second_noise)));
    }
    first.push_back(one);
    streams.messages.push_back({one, two});
  }
  streams.first_area = *eval::RocAreaAbove(eval::Rank(first));
  return streams;
}

double AreaOfFused(const Streams& streams, FusionMethod method) {
  Fusion fusion(2, method);
  std::vector<Outcome> fused;
  for (const std::vector<Outcome>& said : streams.messages) fused.push_back(fusion.Fuse(said));
  return *eval::RocAreaAbove(eval::Rank(fused));
}

TEST(Fusion, IsBetterThanTheBestOfFiltersThatErrApart) {
  for (const bool probabilities : {true, false}) {
    const Streams streams = TwoFilters(0.9, probabilities);
    for (const FusionMethod method : {FusionMethod::kAverage, FusionMethod::kStacking})
      EXPECT_LT(AreaOfFused(streams, method), 0.7 * streams.first_area) << probabilities;
  }
}

// A filter that is confident and wrong makes the average worse; stacking learns to ignore it.
TEST(Fusion, StackingLearnsWhomToTrust) {
  Streams streams = TwoFilters(0.9, true);
  std::mt19937_64 random(1);
  for (std::vector<Outcome>& said : streams.messages) said[1].probability = random() % 2 == 0 ? 0.001 : 0.999;
  EXPECT_GT(AreaOfFused(streams, FusionMethod::kAverage), 1.5 * streams.first_area);
  EXPECT_LT(AreaOfFused(streams, FusionMethod::kStacking), 1.1 * streams.first_area);
}

}  // namespace
}  // namespace thresher::pipeline
