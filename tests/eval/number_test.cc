#include "eval/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace thresher::eval {
namespace {

TEST(ReadNumber, TakesWhatFiltersPrint) {
  EXPECT_EQ(ReadNumber("1.5"), 1.5);
  EXPECT_EQ(ReadNumber("+.5"), 0.5);
  EXPECT_EQ(ReadNumber("-1e-3"), -0.001);
  EXPECT_EQ(ReadNumber("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(ReadNumber("-inf"), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(*ReadNumber("nan")));
}

TEST(ReadNumber, KnowsOnWhichSideANumberIsOutOfRange) {
  EXPECT_EQ(ReadNumber("1e999"), HUGE_VAL);
  EXPECT_EQ(ReadNumber("-1e999"), -HUGE_VAL);
  EXPECT_EQ(ReadNumber("1e-999"), 0);
  EXPECT_EQ(ReadNumber("-1e-999"), 0);
  EXPECT_EQ(ReadNumber("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(ReadNumber(std::string(400, '9')), HUGE_VAL);
}

TEST(ReadNumber, RefusesWhatIsNoNumberAsAWhole) {
  for (const char* wrong :
       {"", "+", "-", "x", "1x", " 1", "1 ", "1,5", "0x1p3", "++1", "+-1", "-+1", "1e999x"})
    EXPECT_FALSE(ReadNumber(wrong)) << wrong;
}

}  // namespace
}  // namespace thresher::eval
