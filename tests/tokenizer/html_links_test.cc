// Links that are no address of a page in an <a>.
#include "tokenizer/html_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenizer/html_rendering.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(HtmlLinksTest, OfOtherAttributes) {
  EXPECT_THAT(Links("<object data=a></object><video poster=b></video><a ping=' c\td ' href=e>"),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(Links("<p data=a>"), IsEmpty());
  std::string many = "<object";
  for (int i = 0; i < 100; ++i) many += " a" + std::to_string(i);
  EXPECT_THAT(Links(many + " data=a>"), ElementsAre("a"));
}

TEST(HtmlLinksTest, ThatPicturesChange) {
  EXPECT_THAT(Links("<svg><a><set attributeType=XML attributeName=href to='https://a.example/'/>"
                    "<animate attributeName='xlink:href' from=b values=';c;;&#100;; '/></a></svg>"),
              ElementsAre("https://a.example/", "b", "c", "d"));
  EXPECT_THAT(Links("<svg><set attributeName=fill to='#fff'/><animate values='#fff;#000' to=1 /></svg>"),
              IsEmpty());
}

TEST(HtmlLinksTest, OfScripts) {
  const std::string script = "<script>location.href=\"https://evil.example/\"</script>";
  for (const std::string& html :
       {script, "<div hidden>" + script, "<svg>" + script + "</svg>",
        std::string("<svg><script><![CDATA[x='https://evil.example/']]></script></svg>"),
        std::string("<svg><script>x=&quot;https&#58;//evil.example/&quot;</script></svg>")}) {
    EXPECT_THAT(Render(html).unrendered, HasSubstr("https://evil.example/")) << html;
    EXPECT_THAT(Render(html).text + Render(html).hidden_text, Not(HasSubstr("evil"))) << html;
  }
  EXPECT_THAT(Render("<style>a{}</style><noframes>b</noframes>").unrendered, IsEmpty());
}

}  // namespace
}  // namespace thresher::tokenizer
