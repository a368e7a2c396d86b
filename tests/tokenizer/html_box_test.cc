// Which boxes keep words apart: pictures and elements that float.
#include "tokenizer/html_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenizer/html_rendering.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;

TEST(HtmlBoxTest, PicturesKeepWordsApart) {
  for (const std::string attributes :
       {"", "width=5 height=1", "width=1%", "style='width:9px' width=1", "width=1 style='width:auto'",
        "width=1 style='display:block'", "style='display:inline'", "align=middle",
        "style='visibility:hidden'"}) {
    EXPECT_THAT(Seen("buy<img src=x " + attributes + ">cheap"), ElementsAre("buy", "cheap")) << attributes;
  }
  for (const std::string attributes :
       {"width=1", "width=0", "width=1px", "style='width:1px'", "width=9 style='width:0'", "hidden",
        "style='display:none'", "align=Left", "style='float:right'", "style='position:absolute'"}) {
    EXPECT_THAT(Seen("V<img src=x " + attributes + ">iagra"), ElementsAre("Viagra")) << attributes;
  }
  EXPECT_THAT(Seen("a<input type=radio style='display:inline-block'>b"), ElementsAre("a", "b"));
}

TEST(HtmlBoxTest, WordsOfFloatsThatTouch) {
  for (const std::string style : {"float:left", "FLOAT : right", "float:left;padding:0;margin:0 0",
                                  "width:9px;float:left;width:0", "float:none;float:left"}) {
    const std::string begin = "<div style='" + style + "'>";
    EXPECT_THAT(Seen(begin + "VI</div>" + begin + "AGRA</div>"), ElementsAre("VIAGRA")) << style;
    EXPECT_THAT(Seen(begin + "a</div> " + begin + "b</div>"), ElementsAre("a", "b")) << style;
  }
  for (const std::string style : {"float:none", "float:left;width:50%", "padding:0 9px;float:left",
                                  "float:left;margin-right:1em;margin-left:0", "float:left;float:none",
                                  "float:left;min-inline-size:9px"}) {
    const std::string begin = "<div style='" + style + "'>";
    EXPECT_THAT(Seen(begin + "a</div>" + begin + "b</div>"), ElementsAre("a", "b")) << style;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
