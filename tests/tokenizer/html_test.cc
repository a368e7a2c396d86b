// Visible text, hidden text, links and structure of HTML; broken and hostile HTML.
#include "tokenizer/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/tokenizer/html_rendering.h"
#include "tests/tokenizer/spamassassin.h"

namespace thresher::tokenizer {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(HtmlTest, BlocksBreakWordsAndInlineElementsDoNot) {
  EXPECT_THAT(Seen("<p>a</p>b<p>c<div>d</div>e<br>f"), ElementsAre("a", "b", "c", "d", "e", "f"));
  for (const std::string name :
       {"details", "dialog open", "figcaption", "figure", "hgroup", "main", "nav", "search", "summary"})
    EXPECT_THAT(Seen("<p hidden>x<" + name + ">a</" + name + ">b"), ElementsAre("a", "b")) << name;
  EXPECT_THAT(Seen("a<figure>b<figcaption>c</figcaption></figure>d"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Seen("<table><tr><td>a<td>b<tr><th>c</table>d"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Seen("<ul><li>a<li>b</ul><select><option>c<option>d</select>"),
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Seen("V<b></b>i<font size=2>ag</font>r<u>a</u>"), ElementsAre("Viagra"));
  EXPECT_THAT(Seen("a<img src=x alt='b c'>d"), ElementsAre("a", "b", "c", "d"));
}

TEST(HtmlTest, WhatBrowsersIgnoreOrDoNotShowBreaksNoWord) {
  for (const std::string_view between :
       {"</div>", "<br hidden>", "<div style=display:none></div>", "<input type=text hidden>", "</body>",
        "<head>", "<td>", "<div style=display:inline></div>", "<title>ham</title>",
        "<table hidden><tr><td>x</td></tr></table>", "<input type=Hidden value=x>", "<keygen>", "<frameset>",
        "<input type=hidden style=display:block>", "<dialog></dialog>", "<dialog>x</dialog>"}) {
    const std::string html = "V" + std::string(between) + "iagra";
    EXPECT_THAT(Seen(html), ElementsAre("Viagra")) << html;
  }
  EXPECT_THAT(Structure("V</div>iagra"), Contains("tag-in-word"));
  EXPECT_THAT(Seen("a<dialog open></dialog>b<dialog style='display:block'></dialog>c<input type=x>d"),
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Seen("a<span style='display:block'></span>b</p>c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Seen("<table><tr><td>V<div style=display:none></div>iagra<td>b"), ElementsAre("Viagra", "b"));
  EXPECT_THAT(Hidden("a<div style=display:none><p>b<p>c</div>"), ElementsAre("b", "c"));
}

TEST(HtmlTest, ScriptsStylesAndCommentsAreNotText) {
  EXPECT_THAT(Seen("a<script>b</b>'<p>'</scriptx></SCRIPT >c<style>d</style>e<!-- f > g -->h"),
              ElementsAre("aceh"));
  EXPECT_THAT(Seen("<title>a<b></title>c<textarea><i>d</textarea>"), ElementsAre("a<b>", "c", "<i>d"));
  EXPECT_THAT(Seen("a<!-->b<!--->c<!-- --!>d<!x>e<?y?>f</ z>g"), ElementsAre("abcdefg"));
  EXPECT_THAT(Seen("<!-- never ends a"), IsEmpty());
}

// Behind "<!--", the tags of another script belong to the script.
TEST(HtmlTest, ScriptsEndWhereBrowsersEndThem) {
  for (const std::string_view html :
       {"<script><!--<script></script>x--></script>a", "<script><!--<script>--><script></script>a",
        "<script><!--</script>a", "<script><!--<SCRIPT </SCRIPT >x</Script>a", "<script><script></script>a",
        "<script><!--><script></script>a", "<script><!--<scripts></script>a"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
  }
  EXPECT_THAT(Seen("<script><!--<script></script>x"), IsEmpty());
}

TEST(HtmlTest, OnlyPicturesHaveAnAlternativeText) {
  EXPECT_THAT(Seen("<img alt=a><area alt=b><image alt=c><input type=image alt=d><applet alt=e></applet>"),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(Seen("<div alt=a>b</div><input type=hidden alt=c>"), ElementsAre("b"));
}

TEST(HtmlTest, NoTextIsLost) {
  EXPECT_THAT(Seen("</b>a</body></html>b<html>c"), ElementsAre("abc"));
  EXPECT_THAT(Seen(std::string_view("a\0b", 3)), ElementsAre("ab"));
  EXPECT_THAT(Seen("1 < 2 <3 a<"), ElementsAre("1", "<", "2", "<3", "a<"));
  EXPECT_THAT(Seen("<a href='x>y'z>b</a>c"), ElementsAre("bc"));
}

TEST(HtmlTest, NulBytesAreDropped) {
  using std::string_view_literals::operator""sv;
  EXPECT_THAT(Seen("Buy V\0ia\0gra&amp;\0b<textarea>\0c\0d</textarea>"sv),
              ElementsAre("Buy", "Viagra&b", "cd"));
  EXPECT_THAT(Hidden("<p hidden>V\0iagra"sv), ElementsAre("Viagra"));
}

TEST(HtmlTest, TheTextOfFieldsAndButtonsIsRead) {
  for (const char* type : {"type=submit", "type=BUTTON", "type=reset", "type=text", "", "type=x"}) {
    EXPECT_THAT(Seen("a<input value='Buy V&#105;agra' " + std::string(type) + ">b"),
                ElementsAre("a", "Buy", "Viagra", "b"))
        << type;
    EXPECT_THAT(Seen("<font color=white><input value=a " + std::string(type) + "></font>"), ElementsAre("a"));
  }
  for (const char* type : {"hidden", "checkbox", "password", "image"})
    EXPECT_THAT(Seen("<input value=a type=" + std::string(type) + ">"), IsEmpty()) << type;
  EXPECT_THAT(Seen("<input type=image alt=a value=b><button value=c>d</button>"), ElementsAre("a", "d"));
  EXPECT_THAT(Hidden("<input value=a hidden><img src=x alt=b style='display:none'>"), ElementsAre("a", "b"));
}

TEST(HtmlTest, EntitiesAreDecoded) {
  EXPECT_EQ(Render("&lt;b&gt; &#86;i&#x61;gra &eacute;&#147;&amp;amp;").text, "<b> Viagra \u00E9\u201C&amp;");
  EXPECT_EQ(Render("&copy &copyx &hearts &nope; &; & &#; &#x; &#0; &#xD800; &#9999999999;").text,
            "\u00A9 \u00A9x &hearts &nope; &; & &#; &#x; \uFFFD \uFFFD \uFFFD");
  EXPECT_EQ(Render("V&shyi&af;a&Gfr;&ropf;&NegativeVeryThinSpace;&ccaron; &notit; &ampamp; &ast &astx").text,
            "V\u00ADi\u2061a\U0001D50A\U0001D563\u200B\u010D \u00ACit; &amp; &ast &astx");
  EXPECT_THAT(Links("<a href='/?a=1&amp;b&copy=2&#47;'>"), ElementsAre("/?a=1&b&copy=2/"));
}

// Elsewhere <style/> is the start of a style that ends with the text, or at the next </style>.
TEST(HtmlTest, PicturesHideNothing) {
  for (const std::string_view html : {"<svg><style/></svg>a<b></b>",
                                      "<math><title/></math>a",
                                      "<svg><style><p>a</p></style>",
                                      "<svg><script/><path/></svg>a<style>b</style>",
                                      "<svg><desc><style>b</style></desc></svg>a",
                                      "<svg><a><style/></a></svg>a",
                                      "<svg><form><style/></form></svg>a",
                                      "<svg><td><style/></td></svg>a",
                                      "<svg><desc></desc><style/></svg>a",
                                      "<svg><desc/><style/></svg>a",
                                      "<svg><mtext></mtext><style/></svg>a",
                                      "<math><desc></desc><style/></math>a",
                                      "<svg><foreignox/><style/></svg>a",
                                      "<svg a=b/><style/></svg>a",
                                      "<svg><ruby><style>b</style>a",
                                      "<svg><text><![CDATA[a]]></text></svg>",
                                      "<svg><style>b</style>a</svg>",
                                      "<svg><font><style/></font></svg>a",
                                      "<svg><font size=1><style>b</style>a",
                                      "<math><annotation-xml encoding=text/html><style>b</style>a",
                                      "<svg><style>.st0{fill:red}</style>a</svg>",
                                      "<svg><![CDATA[]]></svg>a",
                                      "<svg></p><style><!--</style>a",
                                      "<svg></br><style><!--</style>a",
                                      "<svg/><style><!--</style>a",
                                      "<math /><xmp></xmp>a",
                                      "<svg><foreignObject><svg/><style><!--</style>a"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
    EXPECT_THAT(Hidden(html), IsEmpty()) << html;
  }
  EXPECT_THAT(Seen("<style/>a</style>b"), ElementsAre("b"));
  EXPECT_THAT(Seen("<svg><style><g>a</g></style>b</svg>"), ElementsAre("b"));
  EXPECT_THAT(Seen("<svg><![CDATA[><!--]]></svg>a"), ElementsAre("><!--a"));
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<b>";
  EXPECT_THAT(Seen(deep + "<svg><style/></svg>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<noembed><!--</noembed>a<plaintext><!-- b"), ElementsAre("a", "<!--", "b"));
}

TEST(HtmlTest, OfEqualAttributesTheFirstCounts) {
  EXPECT_THAT(Links("<a href=http://a/ HREF=http://b/>"), ElementsAre("http://a/"));
  std::string many = "<a";
  for (int i = 0; i < 100; ++i) many += " a" + std::to_string(i);
  EXPECT_THAT(Links(many + " href=http://a/>"), ElementsAre("http://a/"));
  EXPECT_THAT(Hidden(many + " style='display:none'>a"), ElementsAre("a"));
  EXPECT_THAT(Hidden(many + " hidden>a"), ElementsAre("a"));
  EXPECT_THAT(Hidden("<font" + many.substr(2) + " color=white>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<td" + many.substr(2) + " bgcolor=navy><font color=white>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<div" + many.substr(2) + " class=x><font color=white>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<input" + many.substr(2) + " placeholder=a>"), ElementsAre("a"));
  EXPECT_THAT(Seen("<input" + many.substr(2) + " value=a>"), ElementsAre("a"));
}

TEST(HtmlTest, LinksOfAllKinds) {
  EXPECT_THAT(Links("<a href=http://a.b/>x</a><img src='c.gif'><form action=\"d\"><td background=e>"),
              ElementsAre("http://a.b/", "c.gif", "d", "e"));
  EXPECT_THAT(Links("<a href='ht\ntp://a'>"), ElementsAre("http://a"));
  EXPECT_THAT(Links("<a href=''><a href>"), IsEmpty());
  EXPECT_THAT(Links("<svg><a xlink:href=a></a></svg><button formaction=b>"
                    "<meta http-equiv=refresh content='0; URL=\"c\"'><meta name=x content=y>"),
              ElementsAre("a", "b", "c"));
  const auto refresh = [](std::string_view content) {
    return Links("<meta http-equiv=Refresh content=\"" + std::string(content) + "\">");
  };
  for (const char* content : {"0;c", "5.5 , URL = c", "0; &#117;rl=c", "0;url='c' d", "0;url=\tc\n"})
    EXPECT_THAT(refresh(content), ElementsAre("c")) << content;
  for (const char* content : {"", "0", "0;", "0;url=", "0;url=''"})
    EXPECT_THAT(refresh(content), IsEmpty()) << content;
  EXPECT_THAT(refresh("0;url"), ElementsAre("url"));  // a page of that name
  EXPECT_THAT(Links("<a href='http://pay&shy.evil/&shy=1&shyx'>"),
              ElementsAre("http://pay\u00AD.evil/&shy=1&shyx"));
}

TEST(HtmlTest, StructureTokens) {
  EXPECT_THAT(Structure("<TABLE BGColor=#FF0000><xyz><o:p><td bgcolor='#ff0000' onClick=x>"),
              ElementsAre("tag:table", "attr:bgcolor=#ff0000", "unknown-tag", "namespaced-tag", "tag:td",
                          "event-handler"));
  EXPECT_THAT(Structure("Vi<!-- x -->agra"), ElementsAre("comment-in-word"));
  EXPECT_THAT(Structure("Vi <!-- x -->agra<!-- y --> z<!-- -->"), IsEmpty());
  EXPECT_THAT(Structure("Vi<xx>agra"), Contains("tag-in-word"));
  EXPECT_THAT(Structure("&#86;iagra"), ElementsAre("encoded-letter"));
  EXPECT_THAT(Structure("<img src=http://x/ width=1 height=1>"),
              testing::IsSupersetOf({"tiny-image", "external-image"}));
  EXPECT_THAT(Structure("<img src=cid:x width=1 height=80>"), Not(Contains("tiny-image")));
  for (const char* src : {"//x.example/1.png", " http://x", "&#104;ttp://x", "ht\ntp://x", "\\\\x/1.png"}) {
    EXPECT_THAT(Structure("<img src='" + std::string(src) + "'>"), Contains("external-image")) << src;
  }
  EXPECT_THAT(Structure("<img src=/1.png>"), Not(Contains("external-image")));
  EXPECT_THAT(Structure("<img src=' &#99;id:1'>"), Contains("attached-image"));
  EXPECT_THAT(Structure("</html>x"), ElementsAre("text-after-html"));
  EXPECT_THAT(Structure("<p style='color: red; margin:0'>"), ElementsAre("tag:p", "style:color=red"));
}

TEST(HtmlTest, ConditionalCommentsAreKept) {
  const std::string html = "a<!--[if mso]><a href=http://evil.example/>b</a><![endif]-->c<!-- d -->";
  EXPECT_THAT(Seen(html), ElementsAre("ac"));
  EXPECT_THAT(Render(html).unrendered, testing::HasSubstr("http://evil.example/"));
}

TEST(HtmlTest, LongStylesAreReadWhole) {
  const std::string many = "display:none;" + std::string(100000, 'x') + ";";
  EXPECT_THAT(Seen("<p style='" + many + "display:block'>a"), ElementsAre("a"));
  std::string comments;
  for (int i = 0; i < 200000; ++i) comments += "/**/";
  EXPECT_THAT(Hidden("<p style='" + comments + "display:none'>a"), ElementsAre("a"));
}

TEST(HtmlTest, LinksThatLie) {
  EXPECT_THAT(Structure("<a href=http://evil.com/>http://paypal.com/</a>"), Contains("link-text-mismatch"));
  EXPECT_THAT(Structure("<a href=http://evil.com/>www.<b>paypal</b>.com"), Contains("link-text-mismatch"));
  EXPECT_THAT(Structure("<a href='ht\ntp://evil.com/'>http://paypal.com/</a>"),
              Contains("link-text-mismatch"));
  EXPECT_THAT(Structure("<a href=''>http://paypal.com/</a>"), Not(Contains("link-text-mismatch")));
  for (const std::string_view honest :
       {"<a href=http://www.a.com/x>http://a.com</a>", "<a href=http://click.a.com/>www.a.com</a>",
        "<a href=http://a.com>b.c here</a>", "<a href=/x>http://a.com</a>",
        "<a href=http://a.com> www.a.com mail joe@b.com</a>", "<a href=http://a.com>http://a.com&nbsp;</a>",
        "<a href=http://a.com>http://a.com&rsquo;s</a>", "<a href=http://a.com>www.a.com\u5B98\u7F51</a>"}) {
    EXPECT_THAT(Structure(honest), Not(Contains("link-text-mismatch"))) << honest;
  }
}

TEST(HtmlTest, NestingBeyondTheLimitKeepsItsText) {
  std::string html;
  for (int i = 0; i < 100000; ++i) html += i % 2 == 0 ? "<b>" : "<div>";
  const HtmlRendering rendering = Render(html + "a</b></div>b");
  EXPECT_TRUE(rendering.truncated);
  EXPECT_THAT(Words(rendering.text), ElementsAre("a", "b"));
  EXPECT_FALSE(Render("<p>a<p>b<li>c<li>d<td>e<td>f", 3).truncated);  // siblings, not nested
}

// A parser that searches its stack or its attributes linearly would take minutes for each of these.
TEST(HtmlTest, HostileHtmlIsLinear) {
  const auto repeat = [](std::string_view piece) {
    std::string text;
    while (text.size() < 1000000) text += piece;
    return text;
  };
  std::string attributes = "<a";
  for (int i = 0; i < 100000; ++i) attributes += " a" + std::to_string(i) + "=1 hrefs" + std::to_string(i);
  for (const std::string& html : {repeat("<b>") + repeat("</i>"),
                                  repeat("<table><tr><td>"),
                                  attributes + ">",
                                  repeat("<"),
                                  repeat("&"),
                                  repeat("<a href=\""),
                                  "<!--" + repeat("--"),
                                  repeat("<!--"),
                                  "<script>" + repeat("</script"),
                                  repeat("<script>"),
                                  repeat("<font color=red>"),
                                  repeat("&zzzz;"),
                                  repeat("</p><p>"),
                                  repeat("<b style='color:red'>"),
                                  repeat("<svg><style/>"),
                                  repeat("<svg><p>"),
                                  repeat("<a><div>"),
                                  repeat("<b>") + repeat("<a><b>"),
                                  "<a href='http://" + repeat("a") + "@b/'>http://c.d</a>",
                                  repeat("&shyshy")}) {
    EXPECT_LE(Render(html).text.size(), html.size());
  }
}

TEST(HtmlTest, WithoutMarkupTextIsItself) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t i = random() % 50; i > 0; --i) text += static_cast<char>(random());
    std::erase_if(text, [](char c) { return c == '<' || c == '&' || c == '\0'; });
    EXPECT_EQ(Render(text).text, text);
  }
}

TEST(HtmlTest, AnyMarkupKeepsTheWordsBetweenTags) {
  constexpr auto kTags = std::to_array<std::string_view>(
      {"<b>", "</b>", "<p>", "</p>", "<td>", "<table>", "</table>", "<a href=x>", "</a>", "<br>", "<xyz>",
       "<li>", "</html>", "<!-- -->", "<font color=white>", "<div style='display:none'>", "</div>"});
  std::mt19937_64 random(13);
  for (int round = 0; round < 5000; ++round) {
    std::string html;
    std::string words;
    for (size_t i = random() % 30; i > 0; --i) {
      html += kTags[random() % kTags.size()];
      html += "w ";
      words += "w";
    }
    const HtmlRendering rendering = Render(html, 1 + random() % 8);
    EXPECT_EQ(Words(rendering.text).size() + Words(rendering.hidden_text).size(), words.size()) << html;
  }
}

TEST(HtmlTest, TakesRealMail) {
  const std::vector<std::string> messages = SpamassassinMessages(10);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  for (const std::string& message : messages) {
    const HtmlRendering rendering = Render(message);
    EXPECT_LE(rendering.text.size() + rendering.hidden_text.size(), 2 * message.size());
  }
}

TEST(HtmlTest, WhatAnEmptyFieldShows) {
  EXPECT_THAT(Seen("<input placeholder='Card&#32;number'>x"), ElementsAre("Card", "number", "x"));
  EXPECT_THAT(Seen("<input type=password placeholder=secret value=y><INPUT TYPE=Number placeholder=pin>"),
              ElementsAre("pin"));
  EXPECT_THAT(Seen("<input value='' placeholder=mail><input value=joe placeholder=mail>"),
              ElementsAre("mail", "joe"));
  EXPECT_THAT(Seen("<textarea placeholder=why></textarea>"), ElementsAre("why"));
  for (const std::string_view html :
       {"<input type=submit placeholder=a>", "<input type=hidden placeholder=a>", "<p placeholder=a>",
        "<input type=checkbox placeholder=a>", "<input placeholder>", "<input placeholder=''>"}) {
    EXPECT_THAT(Seen(html), testing::IsEmpty()) << html;
  }
  EXPECT_THAT(Hidden("<div hidden><input placeholder=a></div>"), ElementsAre("a"));
}

TEST(HtmlTest, TextOfPicturesIsRead) {
  EXPECT_THAT(
      Seen("<svg width=9><text x=1>Pay <tspan>now</tspan></text><text>to<tspan>day</tspan></text></svg>."),
      ElementsAre("Pay", "nowtoday."));
}

}  // namespace
}  // namespace thresher::tokenizer
