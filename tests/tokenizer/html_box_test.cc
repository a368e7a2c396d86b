// Which pictures keep words apart.
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

}  // namespace
}  // namespace thresher::tokenizer
