// Which tags end which elements, seen by how the text after them looks.
#include "tokenizer/html_element_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/tokenizer/html_rendering.h"

namespace thresher::tokenizer {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

TEST(HtmlElementStackTest, ElementsEndOnesInWhichTheyDoNotStand) {
  for (const std::string_view html : {"<a style='display:none'>x<a href=http://e>a</a>",
                                      "<a style='display:none'>x<div><a href=http://e>a</a>",
                                      "<a style='font-size:0'>x<div><b><p><a href=http://e>a</a>",
                                      "<h1 style='display:none'>x</h2>a",
                                      "<h1 style='display:none'>x<h2>a",
                                      "<h1 style='display:none'><p>x<h2>a",
                                      "<button style='display:none'>x<button>a",
                                      "<button style='display:none'><div>x<button>a",
                                      "<nobr style='display:none'>x<nobr>a",
                                      "<p style='display:none'>x<ul><li>a</ul>",
                                      "<p style='display:none'>x<li>a",
                                      "<p style='display:none'><select></select><legend>x<div>a",
                                      "<select><optgroup hidden><option>x<optgroup><option>a",
                                      "<select hidden>x<select>a",
                                      "<select hidden><option>x<input>a",

                                      "<table><caption hidden>x<tr><td>a",
                                      "<table><caption hidden>x<td>a",
                                      "<table><colgroup hidden><tr><td>a",
                                      "<ruby><rt hidden>x<rp>a",
                                      "<ruby><rp hidden>x<rt>a",
                                      "<table><tbody hidden><colgroup><tr><td>a",
                                      "<span hidden>x<legend></span>a",
                                      "<span hidden>x<dialog open></span>a",
                                      "<span hidden>x<option></span>a",
                                      "<ruby><rtc hidden>x<rb>a",
                                      "<head hidden><p>a",
                                      "<head style='display:none'>a",
                                      "<image style='display:none'>a",
                                      "<keygen style='display:none'>a",
                                      "<track style='display:none'>a"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
  }
}

TEST(HtmlElementStackTest, ElementsStayOpenAroundOnesThatMayStandInThem) {
  for (const std::string_view html : {"<h1 style='display:none'><b><h2>a",
                                      "<h1 style='display:none'></a></b></p>a",
                                      "<a style='display:none'><table><tr><td><a href=x>a",
                                      "<button style='display:none'><object><button>a",
                                      "<p style='display:none'><br>a",
                                      "<p style='display:none'><button><div>a",
                                      "<p style='display:none'><object><p>a",
                                      "<rt hidden><rt>a",
                                      "<ruby><rt hidden><span><rt>a",
                                      "<ruby><rtc hidden><rt>a",
                                      "<select hidden><textarea></textarea>a",
                                      "<span hidden><div></span>a",
                                      "<x hidden><div></x>a",
                                      "<label hidden><p></label>a",
                                      "<body hidden></body>a",
                                      "<html style='display:none'></html>a",
                                      "<b><div hidden></b>a",
                                      "<a><div style='display:none'><a>a",
                                      "<a style='opacity:0'><div style='font-size:0'><a>a",
                                      "<svg style='display:none'><a><a>a",
                                      "<svg><a style='display:none'><a>a"}) {
    ExpectHidden(html);
  }
}

// The blocks in a link that another one ends stay open.
TEST(HtmlElementStackTest, BlocksGoOnAfterTheLinkAroundThem) {
  EXPECT_THAT(Seen("<a hidden>x<div style='font-size:14px'><p><a>a</a><b>b</div>c"), ElementsAre("ab", "c"));
  EXPECT_THAT(Hidden("<font color=white><a style='color:red'><div style='background:black'>x<a>a</a>"
                     "<div style='background:white'>b</div></div>"),
              ElementsAre("b"));
  EXPECT_THAT(Structure("<a hidden>x<div>y<a>a</div>b"), Not(Contains("tag-in-word")));
}

// Browsers open formatting elements again, but not others such as <span>.
TEST(HtmlElementStackTest, FormattingGoesOnAfterTheLinkAroundIt) {
  EXPECT_THAT(Hidden("<a href=x>z<font color=white>a<a href=y>q</a>b"), ElementsAre("ab"));
  EXPECT_THAT(Hidden("<nobr>z<font style='font-size:0'>a<nobr>b"), ElementsAre("ab"));
  EXPECT_THAT(Hidden("<nobr>z<span style='font-size:0'>a<i><nobr>b"), ElementsAre("a"));
}

std::string ManyTimes(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(HtmlElementStackTest, EndTagsBeyondTheLimit) {
  for (const size_t depth : {254u, 255u, 256u, 257u, 600u, 2000u}) {
    const std::string deep = ManyTimes("<div>", depth);
    const std::string hides = deep + "<div style='display:none'>";
    for (const std::string_view html :
         {"<i></div>a", "<p></div>a", "<ul><li>x</ul></div>a", "<table><tr><td></table></div>a",
          "<b><i></b></i></div>a", "</span></div>a", "<p><p></div>a"}) {
      EXPECT_THAT(Seen(hides + std::string(html)), Contains("a")) << depth << html;
    }
    for (const std::string_view html : {"<i></i>a", "<div></div>a", "<ul><li>x<li>y</ul>a", "</span>a"})
      EXPECT_THAT(Seen(hides + std::string(html)), testing::IsEmpty()) << depth << html;
    ExpectHidden(deep + "<p hidden><b>a");
    EXPECT_THAT(Seen(deep + "<p style='font-size:0'>x<p>a"), ElementsAre("a")) << depth;
    EXPECT_THAT(Seen(deep + "<table><tr><td hidden>x<td>a<td>b</table>"), ElementsAre("a", "b")) << depth;
    EXPECT_THAT(Seen(deep + "V<div hidden></div>iagra"), ElementsAre("Viagra")) << depth;
  }
}

// Also below many that are not ended.
TEST(HtmlElementStackTest, EndTagsOfTheOutermostElements) {
  for (const size_t depth : {100u, 300u, 600u, 2000u})
    EXPECT_THAT(Seen("<div style='display:none'>" + ManyTimes("<b>", depth) + "x</div>a"), ElementsAre("a"));
}

// It would take minutes if each end tag moved all elements.
TEST(HtmlElementStackTest, DeepElementsTakeLinearTime) {
  const std::string deep = ManyTimes("<i>", 200000) + ManyTimes("<div>", 300);
  EXPECT_THAT(Seen(deep + ManyTimes("</i>", 100000) + "a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<a>" + deep + ManyTimes("<a>", 100000) + "a"), ElementsAre("a"));
  EXPECT_THAT(Seen(ManyTimes("<p>" + ManyTimes("<b>", 300), 1000) + "a"), ElementsAre("a"));
  // The first <a> below drops all of <object>, so that it is found in scope from then on.
  EXPECT_THAT(Seen(ManyTimes("<b>", 255) + "<a>" + ManyTimes("<object>", 100000) + ManyTimes("<b>", 300) +
                   ManyTimes("<a></a>", 100000) + "a"),
              ElementsAre("a"));
}

// What stands in a cell of a table does not end what is around the table.
TEST(HtmlElementStackTest, EndTagsStayInTheirCell) {
  for (const std::string_view html :
       {"<div style='font-size:0'><div "
        "style='font-size:14px'><table><tr><td></div>a</td></tr></table>b</div>",
        "<div style='visibility:hidden'><div style='visibility:visible'><marquee></div>a</marquee>b</div>"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a", "b")) << html;
  }
  EXPECT_THAT(Seen("<table hidden><tr><td><div>x</table>a"), ElementsAre("a"));
}

TEST(HtmlElementStackTest, NamesCountWhole) {
  EXPECT_THAT(Seen("<plaintexu>V<b></b>iagra <a href=http://evil.example>x</a>"), ElementsAre("Viagra", "x"));
  using std::string_view_literals::operator""sv;
  EXPECT_THAT(Seen("<p hidden\0>a<p style\0='display:none'>b"sv), ElementsAre("a", "b"));
  EXPECT_THAT(Links("<plaintexu><a href=http://evil.example>"), ElementsAre("http://evil.example"));
  EXPECT_THAT(Hidden("<blockquoxx style='display:none'>a</blockquoyy></blockquote>b</BLOCKquoxx>c"),
              ElementsAre("ab"));
  EXPECT_THAT(Hidden("<blockquote style='display:none'>a</blockquoyy>b</BLOCKquote>c"), ElementsAre("ab"));
}

}  // namespace
}  // namespace thresher::tokenizer
