// Where the declarations of a style end, and which colours have names.
#include "tokenizer/html_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/tokenizer/html_rendering.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;

// Strings, addresses, brackets and backslashes hold what would otherwise end a declaration or a comment.
TEST(HtmlStyleTest, DeclarationsEndWhereBrowsersEndThem) {
  for (const std::string_view style :
       {"x:\\;display:none", "x:[;display:none;]", "x:{;display:none;}", "x:(;display:none;)",
        "x:(];display:none", "x:curl([);display:none)", "x:'a\\\r\n;display:none;'", "x:url(;display:none;)",
        "x:url( a;display:none)", "/*;*/x:';display:none;'", "x:/*\";*/1;/*display:none",
        "x:a';\ndisplay:none", "display:block;x:URL(a\\);display:none)"}) {
    EXPECT_THAT(Seen("<p style=\"" + std::string(style) + "\">a"), ElementsAre("a")) << style;
  }
  for (const std::string_view style :
       {"x:url(//b/*);display:none", "content:'/*';display:none", "x:url(a'b);display:none",
        "x:url('a)b');display:none", "x:url( 'a;b' );display:none", "x:a'\n;display:none",
        "x:\\';display:none", "x:[{();}];display:none", "x:);display:none",
        "x:a\fdisplay:block;x:a'\r;display:none"}) {
    EXPECT_THAT(Hidden("<p style=\"" + std::string(style) + "\">a"), ElementsAre("a")) << style;
  }
}

TEST(HtmlStyleTest, NamesOfColours) {
  for (const std::string_view name : {"white", "White ", " ghostwhite", "whitesmoke", "Snow", "aliceblue"})
    EXPECT_THAT(Hidden("<font color='" + std::string(name) + "'>a"), ElementsAre("a")) << name;
  for (const std::string_view name : {"yellowgreen", "transparent", "whit", "whitesmokes", "windowtext"})
    EXPECT_THAT(Seen("<font color='" + std::string(name) + "'>a"), ElementsAre("a")) << name;
  EXPECT_THAT(Hidden("<p style='background:rebeccapurple;color:#663399'>a"), ElementsAre("a"));
}

}  // namespace
}  // namespace thresher::tokenizer
