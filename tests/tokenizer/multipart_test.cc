// Multiparts whose subtype is not known, and which of the parts of multipart/related is the body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/mime_walk.h"

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// RFC 2046, 5.1.7: what is not known is multipart/mixed.
TEST(MultipartTest, MultipartsWithoutAKnownSubtype) {
  const std::string parts = "\n--b\nContent-Type: text/html\n\n<b>\n--b\n\nx\n--b--\n";
  const auto children = testing::AllOf(SizeIs(3), testing::Contains(Is("text/html", 1, "<b>")),
                                       testing::Contains(Is("text/plain", 1, "x")));
  for (const std::string type :
       {"multipart/; boundary=b", "Multipart/;boundary=b", "multipart / (x); boundary=b",
        "multipart/ ;\n boundary=\"b\"", "multipart/\"\"; boundary=b", "multipart/?; boundary=b",
        "multipart//mixed; boundary=b", "\n multipart/;boundary=b", "multipart/x-new; boundary=b",
        "multipart/*; boundary=b", "multipart/mixed/x; boundary=b", "multipart/\xE9; boundary=b",
        "multipart/[x]; boundary=b"}) {
    const std::string multipart = type + "\n" + parts;
    EXPECT_THAT(Parts("Content-Type:" + multipart), children) << type;
    // Within another, where they move all that follows.
    for (const std::string before : {"\n--a\nContent-Type:", "\n--a\nX: y\nContent-type :"}) {
      const std::string inner = before + multipart;
      const std::vector<Part> all = Parts("Content-Type: multipart/mixed; boundary=a\n" + Repeat(inner, 2) +
                                          "\n--a\nContent-Type: text/css\n\nlast\n--a--\n");
      EXPECT_THAT(all, SizeIs(8)) << before << type;
      EXPECT_THAT(all, testing::Contains(Is("text/html", 2, "<b>")).Times(2)) << before << type;
      EXPECT_THAT(all, testing::Contains(Is("text/plain", 2, "x")).Times(2)) << before << type;
      EXPECT_THAT(all, testing::Contains(Is("text/css", 1, "last"))) << before << type;
    }
    EXPECT_THAT(Parts("Content-Type: message/rfc822\n\nTo: x\nContent-Type:" + multipart),
                testing::Contains(Is("text/html", 2, "<b>")))
        << type;
  }
  EXPECT_EQ(Parts("Content-Type: multipart/; boundary=b\n" + parts)[0].type, "multipart/mixed");
  EXPECT_EQ(Parts("Content-Type: multipart/x-new; boundary=b\n" + parts)[0].type, "multipart/x-new");
  EXPECT_THAT(Parts("Content-Type: multipart; boundary=b\n" + parts), SizeIs(1));
}

TEST(MultipartTest, ManyMultipartsWithoutASubtype) {
  const std::string head = "Content-Type: multipart/; boundary=b\n";
  const std::string part = "\n--b\nContent-Type:multipart/;boundary=c\n\n--c\n\nx\n--c--\n";
  const Walk walk = WalkAll(head + Repeat(part, 100) + "\n--b--\n");
  EXPECT_FALSE(walk.is_cut);
  EXPECT_THAT(walk.parts, testing::Contains(Is("text/plain", 2, "x")).Times(100));
  EXPECT_TRUE(WalkAll(head + Repeat(part, 60000)).is_cut);
  EXPECT_TRUE(WalkAll(head + "\n--b\n" + Repeat("Content-Type: multipart/\n", 100000)).is_cut);
  EXPECT_TRUE(WalkAll(head + "\n--b\nContent-Type: multipart/" + Repeat("(", 400000)).is_cut);
  EXPECT_TRUE(WalkAll(head + "\n--b\nContent-Type:" + Repeat("\n ", 100000) + "multipart/").is_cut);
}

std::vector<std::string> BesideRoot(std::string_view message) {
  std::vector<std::string> texts;
  const MessageHead head = ParseHead(message);
  WalkMime(head, kLimits, [&](const MimePart& part) {
    if (part.is_beside_root && part.type != "message/rfc822") texts.emplace_back(part.bytes);
  });
  return texts;
}

// Of a multipart/related with such parts.
std::vector<std::string> BesideRootOf(const std::string& start, const std::vector<std::string>& parts) {
  std::string message = "Content-Type: multipart/related; boundary=b" + start + "\n\n";
  for (const std::string& part : parts) message += "--b\n" + part + "\n";
  return BesideRoot(message + "--b--\n");
}

TEST(MultipartTest, TheRootOfRelatedParts) {
  const auto related = [](const std::string& parameters) {
    return "Content-Type: multipart/related; boundary=b" + parameters +
           "\n\n--b\nContent-Type: text/html\nContent-ID: <one@x>\n\n1\n--b\nContent-Type: text/html\n"
           "content-id:  <Two@x> \n\n2\n--b\nContent-Type: multipart/alternative; boundary=c\n\n"
           "--c\nContent-ID: <in@x>\n\n3\n--c\nContent-Type: message/rfc822\n\n\n4\n--c--\n--b--\n";
  };
  for (const char* start : {"", "; start=\"<one@x>\"", "; start=one@x", "; start=\"<none@x>\"", "; start",
                            "; start=\"\"", "; start=\"<in@x>\"", "; start=\"<two@x>\""}) {
    EXPECT_THAT(BesideRoot(related(start)), ElementsAre("2", "3", "4")) << start;
  }
  EXPECT_THAT(BesideRoot(related("; START=\" <Two@x>\"; type=\"text/html\"")), ElementsAre("1", "3", "4"));
  // A root without text is not what mail programs show.
  for (const std::string first :
       {"Content-Type: image/png\nContent-ID: <p>\n\nPNG",
        "Content-Type: multipart/related; boundary=c\n\n--c--", "Content-Type: message/rfc822\n\n\nx"}) {
    for (const char* start : {"", "; start=\"<p>\""}) {
      const std::string message =
          "Content-Type: multipart/related; boundary=b" + std::string(start) + "\n\n--b\n" + first +
          "\n--b\nContent-Type: text\n\n1\n--b\nContent-Type: text/html\n\n2\n--b--\n";
      EXPECT_THAT(BesideRoot(message),
                  testing::AllOf(testing::Contains("2"), testing::Not(testing::Contains("1"))))
          << message;
    }
  }
  const std::string plain = related("");
  for (const std::string type : {"mixed", "alternative", "relatedx"}) {
    std::string other = plain;
    other.replace(other.find("related"), 7, type);
    EXPECT_THAT(BesideRoot(other), testing::IsEmpty()) << type;
  }
  EXPECT_THAT(BesideRoot("Content-Type: Multipart/Related; boundary=b\n\n--b--\n"), testing::IsEmpty());
  const std::string many = Repeat("\n--b\nContent-ID: <a>\n\nx", 4000);
  EXPECT_THAT(BesideRoot("Content-Type: multipart/related; start=b; boundary=b\n" + many), SizeIs(254));
}

TEST(MultipartTest, ARootShowsText) {
  const std::string second = "Content-Type: text/html\n\n2";
  for (const std::string first :
       {"Content-Disposition: attachment\n\n1", "Content-Disposition:  Attachment; size=1\n\n1",
        "Content-Type: text/html\nContent-Disposition: attachment; filename=a.html\n\n1", "\n", "\n \n\t\r\n",
        "Content-Type: text/html\n\n\n\n", "Content-Type: text/css\n\n1", "Content-Type: 'text/css'\n\n1",
        "Content-Type: text(;)/css; name=a\n\n1", "Content-Type: image(;)/png\n\n1",
        "Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/css\n\n1\n--c\n\n--c--"}) {
    for (const char* start : {"", "; start=p"}) {
      const std::string named = "Content-ID: <p>\n" + first;
      EXPECT_THAT(BesideRootOf(start, {named, second, "\n3"}), testing::Contains("3")) << named;
      EXPECT_THAT(BesideRootOf(start, {named, second, "\n3"}), testing::Not(testing::Contains("2"))) << named;
    }
  }
  for (const std::string first :
       {"\n1", "Content-Type: text/plain; name=a\nContent-Disposition: inline\n\n1",
        "Content-Type: \"text/html\"\n\n1", "Content-Type: text/calendar\n\n1", "Content-Type: text\n\n1",
        "Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/css\n\n0\n--c\n\n1\n--c--"}) {
    EXPECT_THAT(BesideRootOf("", {first, second}), ElementsAre("2")) << first;
  }
  // Where no other text is.
  const std::string picture = "Content-Type: image/png\n\nPNG";
  EXPECT_THAT(BesideRootOf("", {picture, "Content-Type: text/x-new\n\n1"}), ElementsAre("PNG"));
  EXPECT_THAT(BesideRootOf("", {"Content-Type: text/css\n\n1", "Content-Type: text/x-new\n\n2"}),
              ElementsAre("2"));
  EXPECT_THAT(BesideRootOf("; start=p", {picture, "Content-ID: p\n" + picture}), ElementsAre("PNG"));
  EXPECT_THAT(BesideRootOf("", {"\n"}), testing::IsEmpty());
}

// In each of many that are nested, nothing shows text but what is innermost.
TEST(MultipartTest, RootsOfNestedRelatedParts) {
  constexpr int kDepth = 30;
  constexpr auto kCharsets = std::to_array<std::string_view>(
      {"iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "euc-jp", "euc-kr", "euc-tw", "big5", "big5-hkscs", "gbk",
       "gb18030", "shift_jis", "johab"});
  const auto nested = [](const std::string& start, const std::string& innermost) {
    std::string message;
    for (int i = 0; i < kDepth; ++i) {
      const std::string boundary = "b" + std::to_string(i);
      message += "Content-Type: multipart/related; boundary=" + boundary + start + "\nContent-ID: <a>\n\n--" +
                 boundary + "\n";
      if (i % 2 == 0) message += "Content-Type: image/gif\n\nbefore\n--" + boundary + "\n";
    }
    message += innermost;
    for (int i = kDepth - 1; i >= 0; --i) {
      const std::string boundary = "\n--b" + std::to_string(i);
      message += boundary + "\nContent-Type: image/png\n\nbehind" + boundary + "--\n";
    }
    return message;
  };
  for (const char* start : {"", "; start=\"<a>\""}) {
    const std::vector<std::string> beside = BesideRoot(nested(start, "\ntext"));
    EXPECT_THAT(beside, testing::AllOf(SizeIs(kDepth + kDepth / 2), testing::Not(testing::Contains("text"))));
    // To convert each of these names takes long, as its charset is another than those before. Of the many
    // parts, as many as the limit allows are visited.
    std::string many;
    for (size_t i = 0; i < 650; ++i) {
      many += "Content-Type: image/p" + std::to_string(i) +
              "\nContent-Disposition: inline; filename*=" + std::string(kCharsets[i % kCharsets.size()]) +
              "''%41\n\nPNG\n--b29\n";
    }
    const std::string hostile = nested(start, many + "\ntext");
    EXPECT_TRUE(WalkAll(hostile).is_cut);
    EXPECT_THAT(BesideRoot(hostile), testing::Contains("PNG").Times(testing::Gt(200)));
  }
}

}  // namespace
}  // namespace thresher::tokenizer
