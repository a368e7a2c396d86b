// Which text readers of HTML see, by styles, attributes and the style sheets of browsers.
#include "tokenizer/html_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenizer/html_rendering.h"

namespace thresher::tokenizer {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(HtmlLookTest, HiddenTextIsKeptApart) {
  EXPECT_THAT(Hidden("<div style='Display : NONE'>a<b>b</b></div>c"), ElementsAre("ab"));
  EXPECT_THAT(Hidden("<font color='#FFFFFF'>a</font>b"), ElementsAre("a"));
  EXPECT_THAT(Hidden("<font color=#fefefe>a</font>b"), ElementsAre("a"));
  EXPECT_THAT(Hidden("<body bgcolor=black text=white>a<font color=#000>b</font>"), ElementsAre("b"));
  EXPECT_THAT(Hidden("<span style='font-size:0.1em'>a</span> <p hidden>b"), ElementsAre("a", "b"));
  EXPECT_THAT(Seen("Vi<span style='font-size:1px'>xx</span>agra"), ElementsAre("Viagra"));
  EXPECT_THAT(Structure("<p style='display:none'>x"), Contains("hidden-text"));
  for (const std::string_view html :
       {"<p style='x:(;);display:none'>a", "<div style='display:none'><p style='display:block'>a",
        "<p style='display:none;display:nonsense'>a", "<p style='display:none!important;display:block'>a",
        "<p style='opacity:0;display:block'>a", "<div style='font-size:0'><p style='font-size:2em'>a",
        "<div style='visibility:hidden'><p>a", "<div style='font-size:0'><p style='font-size:1px'>a",
        "<div style='font-size:0'><p style='font-size:0.9px'>a", "<p style='display:/**/none'>a",
        "<p style='display&#58;none'>a", "<p style='display:none;display:blocky'>a"}) {
    ExpectHidden(html);
  }
}

TEST(HtmlLookTest, BoxesWithoutHeightOrWidthHideTheirText) {
  for (const std::string style :
       {"height:0;overflow:hidden", "overflow:hidden;max-height:0px", "width:0;overflow:hidden",
        "max-width:0%;overflow : HIDDEN", "height:0em!important;height:9px;overflow-y:hidden",
        "height:0;overflow:hidden;height:nonsense;overflow:nonsense",
        "height:0;overflow:hidden;padding:0 0px", "height:0;min-height:0;overflow:hidden visible",
        "height:0;overflow:hidden;min-width:9px"}) {
    ExpectHidden("<div style='" + style + "'>a");
    ExpectHidden("<span style='display:inline-block;" + style + "'>a");
    ExpectHidden("<span style='float:left;" + style + "'>a");
    ExpectHidden("<i style='" + style + ";position:absolute'>a");
    ExpectHidden("<div style='" + style + "'><p><b>a</b></p>");
    EXPECT_THAT(Seen("<i style='" + style + "'>a"), ElementsAre("a")) << style;  // has no size
    EXPECT_THAT(Seen("<table><td style='" + style + "'>a"), ElementsAre("a")) << style;
    EXPECT_THAT(Seen("<div style='" + style + ";display:table'>a"), ElementsAre("a")) << style;
    EXPECT_THAT(Seen("<body style='display:block;" + style + "'>a"), ElementsAre("a")) << style;
    EXPECT_THAT(Seen("<div style='" + style + "'><p style='position:absolute'>a"), ElementsAre("a")) << style;
    EXPECT_THAT(Seen("<div style='" + style + "'>x</div>a"), ElementsAre("a")) << style;
  }
  for (const std::string style :
       {"height:0", "overflow:hidden", "height:0;overflow:visible", "height:1px;overflow:hidden",
        "height:0%;overflow:hidden", "height:0;min-height:9px;overflow:hidden",
        "height:0;padding:9px;overflow:hidden", "width:0;padding-right:2em;overflow:hidden",
        "width:0;flex:1;overflow:hidden", "height:0foo;overflow:hidden",
        "height:0;overflow:hidden;height:auto", "height:0;overflow:hidden;overflow:auto",
        "height:0;overflow:hidden;all:unset", "height:0;overflow:hidden;min-height:calc(1px + 1em)",
        "height:0;overflow:hidden;display:contents", "height:0;overflow:hidden;display:inline"}) {
    EXPECT_THAT(Seen("<div style='" + style + "'>a"), ElementsAre("a")) << style;
  }
}

// What browsers may understand and the tokenizer does not, may give the box a size.
TEST(HtmlLookTest, BoxesOfUnknownSizeHideNothing) {
  const std::string hides = "<div style='overflow:hidden;height:0;";
  for (const std::string after :
       {"block-size:auto", "min-block-size:50px", "max-inline-size:9px", "-webkit-logical-height:9px",
        "height:-webkit-calc(99px)", "height:hypot(99px)", "height:abs(99px)", "height:5dvi",
        "height:-moz-available", "he\\69ght:99px", "height:9\\70x", "overflow:var(--x, hidden)",
        "overflow:-moz-hidden-unscrollable", "display:var(--x)"}) {
    EXPECT_THAT(Seen(hides + after + "'>a"), ElementsAre("a")) << after;
  }
  for (const std::string after : {"font-size:9px", "background-size:9px", "height:foo", "height:-9px",
                                  "height:9foo", "height:", "overflow:foo", "position:foo", "float:foo",
                                  "block-size:9px;all:unset;display:block;overflow:hidden;height:0"}) {
    ExpectHidden(hides + after + "'>a");
  }
}

TEST(HtmlLookTest, TheLastValidPlaceOfABoxCounts) {
  const std::string box = "<b style='overflow:hidden;height:0;";
  ExpectHidden(box + "position:absolute;position:foo'>a");
  ExpectHidden(box + "float:left;float:foo'>a");
  ExpectHidden(box + "float:inline-end'>a");
  for (const std::string place : {"position:absolute;position:static", "position:fixed;position:var(--x)",
                                  "float:left;float:none", "float:right;float:unset", "position:relative"}) {
    EXPECT_THAT(Seen(box + place + "'>a"), ElementsAre("a")) << place;
  }
}

// A box cuts what is placed absolutely if it holds its place, and nothing that is fixed.
TEST(HtmlLookTest, PlacedBoxesHideWhatIsPlacedInThem) {
  const std::string box = "<div style='overflow:hidden;height:0";
  const std::string absolute = "<p style='position:absolute'>a";
  for (const std::string place : {"relative", "absolute", "fixed", "sticky"}) {
    ExpectHidden(box + ";position:" + place + "'>" + absolute);
    EXPECT_THAT(Seen(box + ";position:" + place + "'><p style='position:fixed'>a"), ElementsAre("a"))
        << place;
  }
  ExpectHidden(box + "'><div style='position:relative'>" + absolute);
  EXPECT_THAT(Seen(box + "'><p style='position:fixed'><b style='position:absolute'>a"), ElementsAre("a"));
  EXPECT_THAT(Seen(box + ";position:static'>" + absolute), ElementsAre("a"));
  EXPECT_THAT(Seen(box + "'><dialog open>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<dialog open style='overflow:hidden;height:0'>a"), ElementsAre("a"));  // has padding
  ExpectHidden(box + "'><dialog>a");
  ExpectHidden(box + "'><dialog open style='position:static'>a");
  ExpectHidden(box + ";position:relative'><dialog open>a");
}

TEST(HtmlLookTest, TemplatesAreNotShown) {
  for (const std::string_view html :
       {"<template>a", "<TEMPLATE style='display:block;all:initial'><p>a", "<template><template></template>a",
        "<div><template></div>a", "<table><tr><td><template></td></tr></table>a",
        "<table><tr><td><template><tr><td>a</template>", "<p><template><p>a</template>"}) {
    ExpectHidden(html);
  }
  EXPECT_THAT(Seen("V<template>x<table><tr><td>y</template>iagra"), ElementsAre("Viagra"));
  EXPECT_THAT(Seen("<templates>a</templates>"), ElementsAre("a"));
  EXPECT_THAT(Seen("</template>a"), ElementsAre("a"));
  EXPECT_THAT(Links("<template><a href='http://x.example/'>a"), ElementsAre("http://x.example/"));
  // Within SVG and MathML they are elements like others.
  for (const std::string_view html :
       {"<p><svg><template></svg>a</p>", "<p><math><template></math>a</p>",
        "<math><template><mtext>a</mtext></template></math>", "<svg style='font-size:0'><object></svg>a",
        "<svg style='font-size:0'><td></svg>a"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
    EXPECT_THAT(Hidden(html), IsEmpty()) << html;
  }
  ExpectHidden("<svg><desc><template></desc></svg>a");
}

TEST(HtmlLookTest, ReadableTextIsNotHidden) {
  for (const std::string_view html : {"<table bgcolor=navy><tr><td><font color=white>a</table>",
                                      "<td background=x.gif><font color=white>a",
                                      "<div class=dark><font color=white>a</div>",
                                      "<p style='background:url(x)'><font color=white>a",
                                      "<b style='font-size:12px'>a</b>",
                                      "<p style='display:none'></p>a",
                                      "<p text=white color=#fff>a",
                                      "<div bgcolor=black>a</div>",
                                      "<p style='display:n one'>a",
                                      "<p style='dis/**/play:none'>a",
                                      "<p style='font-size:1 px'>a",
                                      "<p style='font-size:.15in'>a",
                                      "<p style='mso-hide:all'>a",
                                      "<p style='display:none!importantx'>a",
                                      "<p style=\"x:';display:none;'\">a",
                                      "<p style='display:none'><p>a",
                                      "<td style='font-size:0'><div style='font-size:14px'>a",
                                      "<p style='font-size:0'><font size=3>a</font>",
                                      "<p style='font-size:0'><b style='font-size:small'>a</b>",
                                      "<p style='display:none;display:block'>a",
                                      "<p style='display:block!important;display:none'>a",
                                      "<p style='display:block' hidden>a",
                                      "<p style='visibility:hidden'><b style='visibility:visible'>a</b>",
                                      "<p style='color:black' style='display:none'>a",
                                      "<p style='display:none;display:initial'>a",
                                      "<p style='visibility:hidden;visibility:initial'>a",
                                      "<p style='font-size:0'><b style='font:1rem x'>a</b>",
                                      "<p style='font-size:0'><b style='font-size:3vw'>a</b>",
                                      "<p style='font-size:-1px'>a",
                                      "<p style='font-size:0foo'>a",
                                      "<p style='font-size:0'><b style='font: bold 14px/20px Arial'>a</b>"}) {
    EXPECT_THAT(Hidden(html), IsEmpty()) << html;
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
    EXPECT_THAT(Structure(html), Not(Contains("hidden-text"))) << html;
  }
}

TEST(HtmlLookTest, LinksMarksAndButtonsHaveTheirOwnColours) {
  for (const std::string_view html :
       {"<font color=white><a href=http://e.example>a</a></font>", "<font color=white><mark>a</mark></font>",
        "<font color=white><button>a</button></font>", "<p style='font-size:0'><button>a</button>"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
    EXPECT_THAT(Hidden(html), IsEmpty()) << html;
  }
  for (const std::string_view html :
       {"<font color=white><a>a</a></font>", "<a href=x style='color:white'>a</a>",
        "<a href=x><font color=white>a</font></a>",
        "<font color=white><a href=x style='color:inherit'>a</a></font>",
        "<mark style='color:yellow'>a</mark>", "<div hidden><a href=x>a</a></div>",
        "<p style='font-size:0'><textarea>a</textarea>", "<p style='color:#ffff'>a",
        "<p style='color:#fffffff0'>a"}) {
    EXPECT_THAT(Hidden(html), ElementsAre("a")) << html;
  }
}

TEST(HtmlLookTest, ColoursThatAreFunctions) {
  for (const std::string_view html :
       {"<p style='color:rgba(255,255,255,1)'>a", "<p style='color: RGB(100%, 100%, 98%)'>a",
        "<p style='color:hsl(0,0%,100%)'>a", "<p style='color:hsla(0 0% 100% / 90%)'>a",
        "<p style='color:rgb(255 255 255)'>a", "<p style='color:rgba(0,0,0,0)'>a",
        "<p style='color:transparent'>a", "<p style='color:#0000'>a", "<p style='color:#00000005'>a",
        "<p style='color:rgba(0,0,0,.02)'>a", "<div style='color:rgba(0,0,0,0)'><b>a",
        "<p class=x style='color:hsla(0,0%,0%,0)'>a",
        "<div style='background:rgb(0,0,0)'><p style='color:hsl(77,50%,1%)'>a",
        "<div style='background:#000'><p style='background:rgba(255,255,255,.01);color:black'>a",
        "<p style='color:rgba(0,0,0,.1);background:black'>a"}) {
    ExpectHidden(html);
  }
  for (const std::string_view html :
       {"<p style='color:rgba(0,0,0,.87)'>a",
        "<p style='color:hsl(210,50%,40%)'>a",
        "<p style='color:rgba(0,0,0,0);color:rgb(0,0,0)'>a",
        "<div style='color:transparent'><b style='color:#000'>a",
        "<p style='background:rgba(0,0,0,0)'>a",
        "<p style='background:rgba(0,0,0,.1)'>a",
        "<div class=dark style='background:rgba(0,0,0,.5)'><p style='color:white'>a",
        "<div style='background:rgba(0,0,0,.9)'><p style='color:white'>a",
        "<p style='color:rgba(255,255,255,.9);background:navy'>a",
        "<p style='color:rgb(var(--x))'>a",
        "<font color='rgba(255,255,255,0)'>a</font>",
        "<font color=Transparent>a</font>",
        "<body text='rgb(255,255,255)'>a",
        "<font color=#00000000>a</font>",
        "<font color='#0000'>a</font>",
        "<body text='#00000000'>a",
        "<body text=#ffff>a",
        "<p style='background:rgba(0,0,0,0) linear-gradient(#000,#000);color:#fff'>a",
        "<p style='background:rgba(0,0,0,0) image-set(\"x\" 1x);color:#fff'>a",
        "<div style='color:transparent'><a href=x>a</a>"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
    EXPECT_THAT(Hidden(html), IsEmpty()) << html;
  }
  // Each is over what is around it.
  std::string nested;
  for (int i = 0; i < 200; ++i) nested += "<div style='background:rgba(0,0,0,.1)'>";
  EXPECT_THAT(Hidden(nested + "<p style='color:black'>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<p style='color:rgba(" + std::string(100000, '(') + "'>a"), ElementsAre("a"));
}

// Text that takes up room without being read keeps the words around it apart.
TEST(HtmlLookTest, BlanksThatTakeRoomEndWords) {
  for (const std::string_view blank :
       {"<font color=white> </font>", "<font color=white> x</font>", "<font color=white>x </font>",
        "<span style='visibility:hidden'> </span>"}) {
    EXPECT_THAT(Seen("a" + std::string(blank) + "b"), ElementsAre("a", "b")) << blank;
  }
  for (const std::string_view blank :
       {"<span hidden> </span>", "<span style='font-size:0'> </span>", "<font color=white>x</font>"}) {
    EXPECT_THAT(Seen("a" + std::string(blank) + "b"), ElementsAre("ab")) << blank;
  }
  EXPECT_THAT(Seen("<div style='color:#fff;background:#fff'>x<a href=q>a</a> <a href=q>b</a></div>"),
              ElementsAre("a", "b"));
}

TEST(HtmlLookTest, UndefinedVariablesHideNothing) {
  for (const std::string_view html :
       {"<p style='display:none;display:var(--x)'>a", "<p style='display:none;display:env(x)'>a",
        "<p style='visibility:hidden;visibility:var(--x)'>a"}) {
    EXPECT_THAT(Seen(html), ElementsAre("a")) << html;
  }
}

// How an element looks that has a declaration after one that hides it.
bool ShowsAgain(const std::string& hides, const std::string& after) {
  return !Seen("<p style='" + hides + ";" + after + "'>a").empty();
}

TEST(HtmlLookTest, TheLastValidSizeCounts) {
  for (const char* size : {"100%", "larger", "smaller", "inherit", "unset", "revert", "5vmin", "+14px", "2em",
                           "1.5lh", "xx-small", "max(12px,1em)", "3q", "1e1px"}) {
    EXPECT_TRUE(ShowsAgain("font-size:0", "font-size:" + std::string(size))) << size;
    EXPECT_EQ(Seen("<div style='font-size:0'><p style='font-size:9px;font-size:" + std::string(size) + "'>a"),
              Seen("<div style='font-size:0'><p style='font-size:" + std::string(size) + "'>a"))
        << size;
  }
  for (const char* size : {"-14px", "14pxx", "large r", "+-14px", "none", "1px", ""}) {
    EXPECT_FALSE(ShowsAgain("font-size:0", "font-size:" + std::string(size))) << size;
  }
  for (const char* font : {"inherit", "menu", "bold 14px/20px Arial", "700 100%/1 x", "0 0/0 x,14px x"}) {
    EXPECT_EQ(ShowsAgain("font-size:0", "font:" + std::string(font)), font[0] != '0') << font;
  }
  EXPECT_FALSE(ShowsAgain("font-size:0", "font:14px"));  // has no family
  EXPECT_FALSE(ShowsAgain("font-size:0", "font:700 x"));
  EXPECT_FALSE(ShowsAgain("font-size:9px", "font:0/0 x"));
  EXPECT_THAT(Hidden("<div style='font-size:0'><p style='font-size:14px;font-size:inherit'>a"),
              ElementsAre("a"));
}

TEST(HtmlLookTest, TheLastValidDisplayCounts) {
  for (const char* value :
       {"table-header-group", "table-footer-group", "-webkit-flex", "math", "ruby-text", "inline flow",
        "flow inline", "block flow-root", "list-item block flow", "revert-layer", "ruby"}) {
    EXPECT_TRUE(ShowsAgain("display:none", "display:" + std::string(value))) << value;
  }
  for (const char* value : {"", "inline inline", "inline inherit", "flow x", "table-column", "flexx"}) {
    EXPECT_FALSE(ShowsAgain("display:none", "display:" + std::string(value))) << value;
  }
  EXPECT_THAT(Seen("a<b style='display:flow-root inline'>b</b><i style='display:block ruby'>c</i>"),
              ElementsAre("ab", "c"));
  EXPECT_THAT(Hidden("<p style='display:table-column'>a"), ElementsAre("a"));
}

TEST(HtmlLookTest, TheLastValidVisibilityAndOpacityCount) {
  EXPECT_TRUE(ShowsAgain("visibility:hidden", "visibility:inherit"));
  EXPECT_TRUE(ShowsAgain("visibility:hidden", "visibility:unset"));
  EXPECT_FALSE(ShowsAgain("visibility:hidden", "visibility:shown"));
  EXPECT_THAT(Hidden("<div style='visibility:hidden'><p style='visibility:visible;visibility:inherit'>a"),
              ElementsAre("a"));
  EXPECT_THAT(Hidden("<p style='visibility:collapse'>a"), ElementsAre("a"));
  EXPECT_TRUE(ShowsAgain("opacity:0", "opacity:1"));
  EXPECT_TRUE(ShowsAgain("opacity:0", "opacity:unset"));
  EXPECT_FALSE(ShowsAgain("opacity:0", "opacity:full"));
  EXPECT_FALSE(ShowsAgain("opacity:1", "opacity:0%"));
  EXPECT_FALSE(ShowsAgain("opacity:1", "opacity:-1"));
}

TEST(HtmlLookTest, AllSetsEveryProperty) {
  for (const char* hides : {"display:none", "visibility:hidden", "font-size:0", "opacity:0", "color:white"}) {
    EXPECT_TRUE(ShowsAgain(hides, "all:unset")) << hides;
    EXPECT_TRUE(ShowsAgain(hides, "all:initial")) << hides;
    EXPECT_FALSE(ShowsAgain(hides, "all:nonsense")) << hides;
  }
  EXPECT_THAT(Hidden("<div style='font-size:0'><p style='all:inherit'>a"), ElementsAre("a"));
  EXPECT_THAT(Seen("<div style='font-size:0;color:white'><p style='all:initial'>a"), ElementsAre("a"));
  EXPECT_THAT(Hidden("<div style='display:none'><p style='all:initial'>a"), ElementsAre("a"));
}

TEST(HtmlLookTest, StylesCountMoreThanOtherAttributes) {
  EXPECT_THAT(Hidden("<font style='font-size:0' size=3>a</font>"), ElementsAre("a"));
  EXPECT_THAT(Hidden("<font style='color:white' color=black>a</font>"), ElementsAre("a"));
  EXPECT_THAT(Seen("<p style='display:block' hidden>a"), ElementsAre("a"));
}

}  // namespace
}  // namespace thresher::tokenizer
