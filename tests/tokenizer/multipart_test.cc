// Multiparts whose subtype is not known, and which of the parts of multipart/related is the body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    if (part.is_beside_root) texts.emplace_back(part.bytes);
  });
  return texts;
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

}  // namespace
}  // namespace thresher::tokenizer
