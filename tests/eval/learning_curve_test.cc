#include "eval/learning_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "eval/probability_figures.h"
#include "eval/roc.h"

namespace thresher::eval {
namespace {

std::vector<Outcome> RandomStream(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Outcome> outcomes(count);
  for (Outcome& outcome : outcomes) {
    outcome.judged_spam = random() % 3 == 0;
    outcome.called_spam = random() % 4 == 0 ? !outcome.judged_spam : outcome.judged_spam;
    outcome.score = double(random() % 12 + (outcome.judged_spam ? 5 : 0));
    if (random() % 5 != 0) outcome.probability = double(random() % 1001) / 1000;
  }
  return outcomes;
}

void ExpectFiguresOf(std::span<const Outcome> outcomes, Ties ties, const PartFigures& figures) {
  const ContingencyTable table = Tabulate(outcomes);
  EXPECT_EQ(figures.messages(), outcomes.size());
  EXPECT_EQ(figures.table.ham_as_spam, table.ham_as_spam);
  EXPECT_EQ(figures.table.spam_as_ham, table.spam_as_ham);
  EXPECT_EQ(figures.table.spam_as_spam, table.spam_as_spam);
  const auto area = RocAreaAbove(Rank(outcomes, ties));
  ASSERT_EQ(figures.roc_area_above.has_value(), area.has_value());
  if (area) {
    EXPECT_NEAR(*figures.roc_area_above, *area, 1e-10);
  }
  const auto judged = JudgeProbabilities(outcomes);
  ASSERT_EQ(figures.log_loss.has_value(), judged.has_value());
  if (judged) {
    EXPECT_NEAR(*figures.log_loss, judged->log_loss, 1e-12);
  }
}

TEST(LearningCurve, EqualsTheFiguresOfEachPartByItself) {
  for (const Ties ties : {Ties::kHalf, Ties::kTrec}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<Outcome> stream = RandomStream(seed, 20 + seed * 7);
      const std::span<const Outcome> all = stream;
      for (const uint64_t window : {0U, 1U, 13U, 1000U}) {
        const std::vector<uint64_t> ends = EvenEnds(stream.size(), 9);
        const std::vector<CurvePoint> curve = LearningCurve(stream, ends, window, ties);
        ASSERT_EQ(curve.size(), 9U);
        uint64_t before = 0;
        for (const CurvePoint& point : curve) {
          const uint64_t begin = window == 0 ? before : point.messages - std::min(point.messages, window);
          ExpectFiguresOf(all.first(point.messages), ties, point.so_far);
          ExpectFiguresOf(all.subspan(begin, point.messages - begin), ties, point.window);
          before = point.messages;
        }
      }
    }
  }
}

TEST(EvenEnds, EndsWithTheStream) {
  EXPECT_THAT(EvenEnds(10, 3), testing::ElementsAre(3, 6, 10));
  EXPECT_THAT(EvenEnds(2, 5), testing::ElementsAre(1, 2));
  EXPECT_THAT(EvenEnds(0, 5), testing::IsEmpty());
  EXPECT_EQ(EvenEnds(10'000'000'000, 1000).back(), 10'000'000'000U);
}

TEST(EvenEnds, AreExact) {
  for (uint64_t points = 1; points <= 300; ++points) {
    const std::vector<uint64_t> of_one = EvenEnds(points, points);
    const std::vector<uint64_t> of_many = EvenEnds(7 * points + 3, points);
    for (uint64_t point = 1; point <= points; ++point) {
      EXPECT_EQ(of_one[point - 1], point) << points;
      EXPECT_EQ(of_many[point - 1], point * (7 * points + 3) / points) << points;
    }
  }
  EXPECT_THAT(EvenEnds(UINT64_MAX, 2), testing::ElementsAre(UINT64_MAX / 2, UINT64_MAX));
}

TEST(FiguresBy, EqualsTheFiguresOfEachGroupByItself) {
  const std::vector<Outcome> stream = RandomStream(4, 300);
  std::vector<std::vector<Outcome>> parts(3);
  WordColumn words;
  for (size_t i = 0; i < stream.size(); ++i) {
    const size_t part = i % 7 == 0 ? 0 : i % 2 + 1;
    words.Add(part == 0 ? "" : "u" + std::to_string(part));
    parts[part].push_back(stream[i]);
  }
  const std::vector<GroupFigures> groups = FiguresBy(words, stream);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_GE(groups[0].figures.messages(), groups[1].figures.messages());
  EXPECT_EQ(groups[2].name, "");
  for (const GroupFigures& group : groups) {
    const size_t part = group.name.empty() ? 0 : group.name == "u1" ? 1 : 2;
    ExpectFiguresOf(parts[part], Ties::kHalf, group.figures);
  }
}

}  // namespace
}  // namespace thresher::eval
