#include "tokenizer/css_colour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "tests/tokenizer/mime_walk.h"

namespace thresher::tokenizer {
namespace {

using testing::Eq;
using testing::Optional;

TEST(CssColourTest, FunctionsAsBrowsersReadThem) {
  struct Case {
    std::string_view value;
    uint32_t colour;
  };
  for (const auto& [value, colour] : {
           Case{"rgb(255,0,0)", 0xFF0000},          Case{"rgb( 255 , 128 , 0 ) none", 0xFF8000},
           Case{"rgb(255 255 255", 0xFFFFFF},       Case{"rgba(1,2,3)", 0x010203},
           Case{"rgb(100%,50%,0%)", 0xFF8000},      Case{"rgb(300,-5,1e2)", 0xFF0064},
           Case{"rgb(254.6,.4,none)", 0xFF0000},    Case{"rgba(255,255,255,1)", 0xFFFFFF},
           Case{"rgba(255,255,255,7)", 0xFFFFFF},   Case{"rgba(255,255,255,0)", 0xFFFFFFFF},
           Case{"rgba(0,0,0,0.0)", 0xFF000000},     Case{"rgba(0,0,0,0%)", 0xFF000000},
           Case{"rgb(0 0 0 / -1)", 0xFF000000},     Case{"rgb(0 0 0/none)", 0xFF000000},
           Case{"rgb(1\t2\n3/20%)", 0xCC010203},    Case{"hsl(0,100%,50%)", 0xFF0000},
           Case{"hsl(120deg 100% 50%)", 0x00FF00},  Case{"hsl(240,100%,50%)", 0x0000FF},
           Case{"hsl(-120,100%,50%)", 0x0000FF},    Case{"hsl(1.5turn,100%,50%)", 0x00FFFF},
           Case{"hsl(200grad,100%,50%)", 0x00FFFF}, Case{"hsl(3.14159265rad,100,50)", 0x00FFFF},
           Case{"hsl(77,0%,100%)", 0xFFFFFF},       Case{"hsl(30,100%,25%)", 0x804000},
           Case{"hsla(0,0%,100%,0)", 0xFFFFFFFF},   Case{"hsla(0 0% 0% / 50%)", 0x7F000000},
       }) {
    EXPECT_THAT(ParseColourFunction(value), Optional(Eq(colour))) << value;
  }
}

TEST(CssColourTest, WhatIsNone) {
  for (const std::string_view value :
       {"", "rgb", "rgb(", "rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1px,2,3)", "rgb(a,b,c)", "rgbx(1,2,3)",
        "xrgb(1,2,3)", "rgb(var(--x),2,3)", "rgb(calc(1),2,3)", "rgba(1,2,3,1deg)", "hsl(1foo,2%,3%)",
        "hsl(1%,2%,3%)", "hsl(1e308turn,2%,3%)", "rgb(1e999,0,0)", "url(rgb(1,2,3))", "hsl(1,2deg,3)"}) {
    EXPECT_EQ(ParseColourFunction(value), std::nullopt) << value;
  }
  const std::string many = "rgb(" + Repeat("1,", 300000);
  EXPECT_EQ(ParseColourFunction(many), std::nullopt);
  EXPECT_THAT(ParseColourFunction("rgb(1,2,3" + Repeat(" ", 300000)), Optional(Eq(0x010203u)));
}

TEST(CssColourTest, WhatIsSeenOverABackground) {
  EXPECT_EQ(Over(0xFFFFFF, 0x123456), 0x123456u);
  EXPECT_EQ(Over(0xABCDEF, 0xFF123456), 0xABCDEFu);
  EXPECT_EQ(Over(0xFFFFFF, 0x80000000), 0x808080u);
  EXPECT_EQ(Over(0x000000, WithAlpha(0xFF0000, 0.1)), 0x1A0000u);
}

// The formula by sectors of the circle of hues, for saturation and lightness from 0 to 1.
uint32_t HslByTwin(double hue, double saturation, double lightness) {
  const double chroma = (1 - std::abs(2 * lightness - 1)) * saturation;
  const double sector = hue / 60;
  const double second = chroma * (1 - std::abs(std::fmod(sector, 2) - 1));
  const auto at = [sector](int first, int other) {
    const int number = static_cast<int>(sector);
    return number == first || number == other;
  };
  const double red = at(0, 5) ? chroma : at(1, 4) ? second : 0;
  const double green = at(1, 2) ? chroma : at(0, 3) ? second : 0;
  const double blue = at(3, 4) ? chroma : at(2, 5) ? second : 0;
  const double least = lightness - chroma / 2;
  const auto byte = [least](double value) { return static_cast<uint32_t>((value + least) * 255); };
  return byte(red) << 16 | byte(green) << 8 | byte(blue);
}

TEST(CssColourTest, HslIsThatOfTheTwin) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto hue = random() % 360;
    const auto saturation = random() % 101;
    const auto lightness = random() % 101;
    const std::string value = "hsl(" + std::to_string(hue) + "," + std::to_string(saturation) + "%," +
                              std::to_string(lightness) + "%)";
    const std::optional<uint32_t> colour = ParseColourFunction(value);
    ASSERT_TRUE(colour) << value;
    const uint32_t expected = HslByTwin(static_cast<double>(hue), static_cast<double>(saturation) / 100,
                                        static_cast<double>(lightness) / 100);
    for (const int shift : {16, 8, 0}) {
      EXPECT_NEAR(*colour >> shift & 0xFF, expected >> shift & 0xFF, 1) << value;
    }
  }
}

}  // namespace
}  // namespace thresher::tokenizer
