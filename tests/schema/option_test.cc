// Which texts an option takes, their canonical form, and what is said of others.
#include "schema/option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace thresher::schema {
namespace {

using ::testing::Optional;

constexpr OptionSpec kShare = {.name = "share", .min = 0, .max = 1};
constexpr OptionSpec kRate = {.name = "rate", .min = 0, .max = 1e6, .min_excluded = true};
constexpr OptionSpec kCount = {.name = "count", .min = 1, .max = 1e15, .whole = true};

TEST(Option, NumbersHaveOneTextForEachValue) {
  for (const char* text : {"0.00001", "1e-5", "1E-5", ".00001"})
    EXPECT_THAT(kShare.Canonical(text), Optional(std::string("1e-05"))) << text;
  EXPECT_THAT(kShare.Canonical("-0"), Optional(std::string("0")));
  for (const char* text :
       {"", " 1", "1 ", "+1", "1.1", "-0.1", "nan", "inf", "1e", "1e999", "0x1", "0,5", "one"})
    EXPECT_EQ(kShare.Canonical(text), std::nullopt) << text;
  EXPECT_EQ(ReadNumber("1e-05"), 1e-5);
}

TEST(Option, RangesMayLeaveOutTheirMinimumOrTheirMaximum) {
  EXPECT_EQ(kRate.Canonical("0"), std::nullopt);
  EXPECT_TRUE(kRate.Canonical("1e-300"));
  constexpr OptionSpec kAny = {.name = "any", .min = -kNoLimit};
  EXPECT_TRUE(kAny.Canonical("-1e300"));
  EXPECT_FALSE(kAny.Canonical("inf"));
  constexpr OptionSpec kEndless = {.name = "endless", .max = std::numeric_limits<double>::infinity()};
  EXPECT_THAT(kEndless.Canonical("inf"), Optional(std::string("inf")));
  EXPECT_FALSE(kEndless.Canonical("nan"));
}

TEST(Option, WholeNumbersAreDigitsOrExactNumbers) {
  for (const char* text : {"1000", "1e3", "1000.0"})
    EXPECT_THAT(kCount.Canonical(text), Optional(std::string("1000"))) << text;
  EXPECT_THAT(kCount.Canonical("1e15"), Optional(std::string("1000000000000000")));
  for (const char* text : {"0", "-1", "1.5", "1e16", "1e30", "", "nan"})
    EXPECT_EQ(kCount.Canonical(text), std::nullopt) << text;
  constexpr OptionSpec kSeed = {.name = "seed", .whole = true};
  EXPECT_THAT(kSeed.Canonical("18446744073709551615"), Optional(std::string("18446744073709551615")));
  EXPECT_FALSE(kSeed.Canonical("18446744073709551616"));
}

TEST(Option, WordsSwitchesTextsAndLists) {
  constexpr std::array<std::string_view, 2> kWords = {"off", "on"};
  const OptionSpec word = {.name = "word", .choices = kWords};
  EXPECT_THAT(word.Canonical("on"), Optional(std::string("on")));
  EXPECT_FALSE(word.Canonical("true"));
  constexpr OptionSpec kSwitch = {.name = "switch", .type = OptionType::kSwitch};
  EXPECT_THAT(kSwitch.Canonical("on"), Optional(std::string("true")));
  EXPECT_THAT(kSwitch.Canonical("no"), Optional(std::string("false")));
  EXPECT_FALSE(kSwitch.Canonical("1"));
  constexpr OptionSpec kText = {.name = "text", .type = OptionType::kText, .min = 1};
  EXPECT_FALSE(kText.Canonical(""));
  EXPECT_FALSE(kText.Canonical(std::string_view("a\0b", 3)));
  constexpr OptionSpec kNames = {.name = "names", .type = OptionType::kHeaderNames};
  EXPECT_THAT(kNames.Canonical("X-A*,B,"), Optional(std::string("X-A*,B")));
  EXPECT_THAT(kNames.Canonical(""), Optional(std::string()));
  for (const char* text : {",a", "a,,b", "a b", "a:"}) EXPECT_FALSE(kNames.Canonical(text)) << text;
}

TEST(Option, ExpectationsAreInWords) {
  EXPECT_EQ(kShare.Mismatch("2"), "expected a number from 0 to 1, found \"2\"");
  EXPECT_EQ(kRate.Expected(), "a number above 0 and at most 1000000");
  EXPECT_EQ(kCount.Expected(), "a whole number from 1 to 1e+15");
  EXPECT_EQ((OptionSpec{.name = "seed", .max = static_cast<double>(UINT64_MAX), .whole = true}).Expected(),
            "a whole number");
  EXPECT_EQ((OptionSpec{.name = "cost", .min_excluded = true}).Expected(), "a number above 0");
  EXPECT_EQ((OptionSpec{.name = "any", .min = -kNoLimit}).Expected(), "a number");
  constexpr std::array<std::string_view, 2> kWords = {"pass", "tempfail"};
  EXPECT_EQ((OptionSpec{.name = "word", .choices = kWords}).Expected(), "one of pass, tempfail");
}

}  // namespace
}  // namespace thresher::schema
