#include "schema/nearest_word.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace thresher::schema {
namespace {

TEST(NearestWord, IsTheFewestEditsAway) {
  const std::vector<std::string_view> known = {"features.urls", "features.headers", "limits.tokens"};
  EXPECT_EQ(NearestWord("featurs.urls", known), "features.urls");
  EXPECT_EQ(NearestWord("limit.token", known), "limits.tokens");
  EXPECT_EQ(NearestWord("something.else", known), "");
  EXPECT_EQ(NearestWord("", known), "");
  EXPECT_EQ(NearestWord(std::string(100000, 'a'), known), "");
}

}  // namespace
}  // namespace thresher::schema
