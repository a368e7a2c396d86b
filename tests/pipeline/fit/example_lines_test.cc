#include "pipeline/fit/example_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string ErrorOf(std::string_view line) {
  LineExample example;
  const auto parsed = ParseExampleLine(line, &example);
  return parsed ? "no error" : parsed.error();
}

TEST(ExampleLines, LibsvmAndVwAreTheSame) {
  for (const char* line :
       {"+1 3:0.5 1:2 # comment\n", "1 3:0.5 1:2\r\n", "1 3:0.5 1:2 # 'a |b", "1 'key/0f8e |f 3:0.5 1:2\n",
        "1 |f 3:0.5 1:2", "1 'a| 3:0.5 1:2", "1 'a#b |f 3:0.5 1:2", "1.0\t3:.5\t1:2e0"}) {
    LineExample example;
    ASSERT_EQ(ParseExampleLine(line, &example), true) << line;
    EXPECT_EQ(example.target, 1) << line;
    EXPECT_THAT(example.numbers, ElementsAre(3, 1)) << line;
    EXPECT_THAT(example.values, ElementsAre(0.5F, 2)) << line;
  }
}

TEST(ExampleLines, NothingIsAnExampleToo) {
  LineExample example;
  EXPECT_EQ(ParseExampleLine("", &example), false);
  EXPECT_EQ(ParseExampleLine("\n", &example), false);
  EXPECT_EQ(ParseExampleLine("# 1:1\n", &example), false);
  EXPECT_EQ(ParseExampleLine("# 1 |f 1:1\n", &example), false);
  EXPECT_EQ(ParseExampleLine("-1\n", &example), true);
  EXPECT_TRUE(example.numbers.empty());
  EXPECT_EQ(ParseExampleLine("-1 | 7\n", &example), true);  // Vowpal Wabbit's short form of 7:1
  EXPECT_THAT(example.values, ElementsAre(1));
}

TEST(ExampleLines, ValuesTooSmallAreZero) {
  LineExample example;
  ASSERT_EQ(ParseExampleLine("1 1:1e-50 2:1e-400 3:-1e-999 4:+1e-400", &example), true);
  EXPECT_THAT(example.values, ElementsAre(0, 0, 0, 0));
}

TEST(ExampleLines, WhatIsNoNumberIsRefused) {
  EXPECT_THAT(ErrorOf("1 7:nan"),
              HasSubstr("the value of feature 7 is \"nan\"; expected a number of at most 3.4e38"));
  EXPECT_THAT(ErrorOf("1 7:inf"), HasSubstr("feature 7"));
  EXPECT_THAT(ErrorOf("1 7:1e39"), HasSubstr("feature 7"));
  EXPECT_THAT(ErrorOf("1 7:1e999"), HasSubstr("feature 7"));
  EXPECT_THAT(ErrorOf("1 7:1e-400x"), HasSubstr("feature 7"));
  EXPECT_THAT(ErrorOf("nan 7:1"), HasSubstr("the label is \"nan\""));
  EXPECT_THAT(ErrorOf("spam 7:1"), HasSubstr("the label is \"spam\"; expected a number"));
  EXPECT_THAT(ErrorOf("| 7:1"), HasSubstr("the label"));
  EXPECT_THAT(ErrorOf("1 7"), HasSubstr("expected NUMBER:VALUE"));
  EXPECT_THAT(ErrorOf("1 word:1"), HasSubstr("expected NUMBER:VALUE"));
  EXPECT_THAT(ErrorOf("1 -7:1"), HasSubstr("expected NUMBER:VALUE"));
  EXPECT_THAT(ErrorOf("1 7:1 8:1 7:2"), HasSubstr("feature 7 occurs twice"));
  EXPECT_THAT(ErrorOf("1 0.5 'tag |f 7:1"), HasSubstr("\"0.5\"; expected NUMBER:VALUE"));
  EXPECT_THAT(ErrorOf("1 |f:10 7:1"), HasSubstr("the namespace is \"f:10\"; expected a name without"));
  EXPECT_THAT(ErrorOf("1 'tag 7:1"), HasSubstr("what follows the tag is \"7:1\"; expected a bar"));
}

}  // namespace
}  // namespace thresher::pipeline
