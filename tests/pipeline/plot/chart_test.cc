#include "pipeline/plot/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pipeline/plot/axis.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> TickLabels(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Axis::Tick& tick : axis.Ticks()) labels.push_back(tick.label);
  return labels;
}

TEST(Axis, HasRoundTicksWithinItsRange) {
  EXPECT_THAT(TickLabels(Axis({0.3, 1.9}, false)), ElementsAre("0.5", "1", "1.5"));
  EXPECT_THAT(TickLabels(Axis({-2, 10}, false)), ElementsAre("-2", "0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(TickLabels(Axis({1, 2e6}, true)), ElementsAre("1", "100", "10000", "1e6"));
  EXPECT_THAT(TickLabels(Axis({2, 60}, true)), ElementsAre("2", "3", "5", "10", "20", "30", "50"));
}

TEST(Axis, HasTicksIfItIsLogarithmicAndShort) {
  EXPECT_THAT(TickLabels(Axis({6, 9}, true)), ElementsAre("6", "6.5", "7", "7.5", "8", "8.5", "9"));
  EXPECT_THAT(TickLabels(Axis({51, 99}, true)), ElementsAre("60", "70", "80", "90"));
  EXPECT_THAT(TickLabels(Axis({3.1, 4.9}, true)), ElementsAre("3.5", "4", "4.5"));
  EXPECT_THAT(TickLabels(Axis({0.031, 0.036}, true)),
              ElementsAre("0.031", "0.032", "0.033", "0.034", "0.035", "0.036"));
  for (int i = 0; i < 34; ++i) {
    for (int j = 0; j < 38; ++j) {
      const double least = std::pow(1.07, i);
      const double most = least * 1.01 * std::pow(1.13, j);
      EXPECT_GE(TickLabels(Axis({least, most}, true)).size(), 2U) << least << " " << most;
    }
  }
}

TEST(Axis, PlacesValuesByScale) {
  EXPECT_DOUBLE_EQ(Axis({1, 100}, true).Place(10), 0.5);
  EXPECT_DOUBLE_EQ(Axis({1, 3}, false).Place(2), 0.5);
  EXPECT_FALSE(Axis({1, 100}, true).CanShow(0));
}

TEST(Axis, PlacesTheLargestNumbers) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> ranges = {
      {0x1p60, 0x1p60}, {1e300}, {-1e300}, {kMost}, {-kMost, kMost}};
  for (const std::vector<double>& values : ranges) {
    const Axis axis(values, false);
    EXPECT_EQ(axis.Place(values.front()), 0) << values.front();
    EXPECT_EQ(axis.Place(values.back()), values.size() == 1 || values[0] == values[1] ? 0 : 1)
        << values.front();
    for (const Axis::Tick& tick : axis.Ticks()) EXPECT_GE(axis.Place(tick.value), -1e-6) << tick.label;
  }
  EXPECT_THAT(TickLabels(Axis({kMost}, true)), ElementsAre());
  EXPECT_THAT(TickLabels(Axis({1e308}, true)), ElementsAre("1e308"));
  EXPECT_THAT(TickLabels(Axis({-kMost, kMost}, false)), ElementsAre());
}

TEST(Svg, WhatCannotBeShownBreaksTheLine) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  Panel panel{.title = "a < b & c", .series = {{.name = "s", .x = {0, 1, 2, 3}, .y = {0, 1, gap, 1}}}};
  const std::string svg = Svg({panel});
  EXPECT_THAT(svg, HasSubstr("d=\"M0.0 220.0L100.0 0.0M300.0 0.0\""));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(Svg, ShowsPointsWithoutNeighbours) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  Panel panel{.title = "", .series = {{.name = "s", .x = {0, 1, 2, 3}, .y = {0, 1, gap, 1}}}};
  EXPECT_THAT(Svg({panel}), HasSubstr("d=\"M300.0 0.0h0\" stroke=\"#0072b2\" stroke-width=\"4\""));
  panel.series[0].y[2] = 1;
  EXPECT_THAT(Svg({panel}), Not(HasSubstr("h0\"")));
}

TEST(Svg, IsXmlWhateverTheTitle) {
  // Valid ones of each length; then what is not UTF-8, or not a character of XML.
  Panel panel{.title = "\tö€😀\x01|\xFF|\xC3|\xC0\x80|\xED\xA0\x80|\xEF\xBF\xBF|\xF4\x90\x80\x80"};
  EXPECT_THAT(Svg({panel}), HasSubstr("\tö€😀\uFFFD|\uFFFD|\uFFFD|\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD|"
                                      "\uFFFD\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD\uFFFD<"));
}

TEST(Svg, CutsCurvesOffWhereAsked) {
  const double huge = std::numeric_limits<double>::infinity();
  Panel panel{.title = "", .y_most = 2, .series = {{.name = "s", .x = {0, 1, 2}, .y = {0, 1e300, huge}}}};
  EXPECT_THAT(Svg({panel}), HasSubstr("d=\"M0.0 220.0L150.0 0.0\""));
}

TEST(Svg, PutsOneLongNameInALine) {
  Panel panel{.title = "", .series = {{.name = "a", .x = {0, 1}, .y = {0, 1}}, {.name = "b"}, {.name = "c"}}};
  EXPECT_THAT(Svg({panel}), HasSubstr("<path d=\"M150.0 268.0h24\""));
  panel.series[2].name = "ftrl learning_rate=0.25";
  EXPECT_THAT(Svg({panel}), HasSubstr("<path d=\"M0.0 298.0h24\""));
}

TEST(Svg, AxisIncludesZeroWhereAsked) {
  Panel panel{.title = "", .y_from_zero = true, .series = {{.name = "s", .x = {0, 1}, .y = {1, 2}}}};
  EXPECT_THAT(Svg({panel}), HasSubstr("d=\"M0.0 110.0L300.0 0.0\""));
}

}  // namespace
}  // namespace thresher::pipeline
