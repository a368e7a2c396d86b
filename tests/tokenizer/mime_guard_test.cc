// What GMime's parser is given of hostile messages, and what it makes of that.
#include "tokenizer/mime_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/tokenizer/mime_walk.h"

namespace thresher::tokenizer {
namespace {

TEST(MimeGuardTest, CutsBeforeTheFirstTooMany) {
  constexpr size_t kMany = 100;
  const std::string_view types =
      "Content-Type: Multipart /x\n\nmessage/y\n--a\nContent-Type:\n message/y\n\nz";
  const auto bounded = [](std::string_view body, const StructureLimits& limits) {
    return body.substr(0, BoundStructure(body, "", limits).bytes.size());
  };
  EXPECT_EQ(bounded(types, {2, kMany, kMany}), types);
  EXPECT_EQ(bounded(types, {1, kMany, kMany}),
            "Content-Type: Multipart /x\n\nmessage/y\n--a\nContent-Type:\n");
  EXPECT_EQ(bounded("--a\n--b\nc --\n--d", {kMany, 2, kMany}), "--a\n--b\nc --\n");
  EXPECT_EQ(bounded("\ntext;;\n--a\nx\n y;\n\ntext;\n--b\nz", {kMany, kMany, 2}),
            "\ntext;;\n--a\nx\n y;\n\ntext;\n--b\n");
  EXPECT_EQ(bounded("T: message/x\n\nx\ny\n\ntext\n", {kMany, kMany, 2}), "T: message/x\n\nx\n");
  EXPECT_EQ(bounded("", {0, 0, 0}), "");
}

TEST(MimeGuardTest, WhatAValueCosts) {
  const auto cost = [](std::string_view value) {
    size_t fields = 1000;
    EXPECT_EQ(BoundValue(value, &fields), value);
    return 1000 - fields;
  };
  EXPECT_EQ(cost("a; b=\"c\"; d"), 2u);
  EXPECT_EQ(cost(std::string(160, 'a')), 10u);
  EXPECT_EQ(cost("=?b?q?c?="), 16u);
  EXPECT_EQ(cost("=\\?b?q?"), 16u);
  EXPECT_EQ(cost("a*=b''c"), 16u);
  EXPECT_EQ(cost("a*(x)=b''c"), 16u);
  EXPECT_EQ(cost("a*0=b;a*1*=c"), 17u);
  size_t fields = 33;
  EXPECT_EQ(BoundValue(";=?=?=?", &fields), ";=?=?");
  EXPECT_EQ(fields, 0u);
}

// In a header that describes a part, and where GMime might take a line for one.
TEST(MimeGuardTest, ValuesOfPartsCost) {
  const auto size = [](const std::string& body) { return BoundStructure(body, "", {9, 9, 20}).bytes.size(); };
  for (const std::string before : {"Content-Type:", "content-disposition: x\n", "\n--b\n", ""}) {
    EXPECT_EQ(size(before + " =?=?"), before.size() - (before.ends_with(':') ? 13 : 0)) << before;
    EXPECT_EQ(size(before + " =?=\n"), before.size() + 5) << before;
  }
  const std::string other = "Subject: =?=?\n =?=?\n";
  EXPECT_EQ(size(other), other.size());
}

TEST(MimeGuardTest, ChangesWhatIsNoStructure) {
  const auto bounded = [](std::string_view body) { return BoundStructure(body, "", {100, 100, 1000}).bytes; };
  EXPECT_EQ(bounded("To: a\nContent-Type: x\n b: c\nContent-ID: d\n\ntext\n--b\nCc: d\n"),
            "Xo: a\nContent-Type: x\n b: c\nXontent-ID: d\n\nXext\n--b\nXc: d\n");
  const std::string text(4000, 'a');
  EXPECT_EQ(bounded("\n" + text + "---b--\n"), "\nX" + text.substr(1) + "xx-bx-\n");
  EXPECT_EQ(bounded("\n--b " + text + "--b\n"), "\n--b " + text + "x-b\n");
  EXPECT_EQ(bounded(text + "\n"), "X:" + text.substr(2) + "\n");
  EXPECT_EQ(bounded("Content-Type: x; y=" + text + "--b\n"), "Content-Type: x; y=" + text + "x-b\n");
  const std::string declares = "Content-Type: x; y=" + text + "; boundary=a--b\n";
  EXPECT_EQ(bounded(declares), declares);
}

// The parser reads pieces of some 4 KiB; somewhere here one begins with the dashes.
TEST(MimeGuardTest, NoBoundaryIsInTheMiddleOfALine) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n";
  const std::string part = "--b\nContent-Type: text/html\n";
  for (size_t size = 3400; size < 4500; ++size) {
    for (const size_t long_size : {size, size_t{1000}}) {
      const std::string before = head + Repeat("\n", size - long_size) + part;
      const std::string filler(long_size, 'a');
      for (const std::string& line : {"\n" + filler + "--b", "\n" + filler + "---b", "\n--x" + filler + "--b",
                                      "\n--\n" + filler + "--b", "X: " + filler + "--b\n",
                                      "Content-Type: text/html; x=" + filler + "--b\n"}) {
        const std::vector<Part> parts = Parts(before + line + "\nfirst: text\n\nlast\n--b--\n");
        ASSERT_THAT(parts, testing::SizeIs(2)) << size << " " << line.substr(0, 10);
        ASSERT_THAT(parts[1].bytes, testing::HasSubstr("last")) << size << " " << line.substr(0, 10);
        if (line[0] == '\n') {
          ASSERT_THAT(parts[1].bytes, testing::HasSubstr("first: text")) << size;
        }
      }
    }
  }
}

TEST(MimeGuardTest, ALongLineWithoutColonIsNotTheEnd) {
  const std::vector<Part> parts = Parts("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n" +
                                        Repeat("a", 5000) + "\nContent-Type: text/html\n\nlast\n--b--\n");
  EXPECT_THAT(parts, testing::Contains(Is("text/html", 1, "last")));
}

// For each of these words glibc would load and unload a module.
TEST(MimeGuardTest, HostileValues) {
  const auto many = [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return Repeat(text, 4096 / pieces.size());
  };
  const std::string words =
      many({"=?big5?q?80?= ", "=?gbk?q?=80?= ", "=?euc-kr?q?=80?= ", "=?koi8-r?q?=80?= "});
  const std::string escaped = many({"=\\?big5?q?80?= ", "\\=\\?gbk?q?=80?= "});
  const std::string parameters = many({";a*=big5''%80", "; b*0*=gbk''%80", ";c* =euc-kr''%80"});
  const std::string multipart = "Content-Type: multipart/mixed; boundary=b";
  for (const std::string& value : {"; name=\"" + words + "\"", "; name=\"" + escaped + "\"", parameters,
                                   "; name=\"" + Repeat("\xE4 ", 200000) + "\""}) {
    for (const std::string name : {"\nContent-Disposition: attachment", "\nContent-Type: text/plain"}) {
      EXPECT_TRUE(WalkAll(multipart + "\n\n--b" + name + value + "\n\nx\n--b--\n").is_cut)
          << value.substr(0, 30);
    }
    EXPECT_TRUE(WalkAll(multipart + value + "\n\n--b\n\nx\n--b--\n").is_cut) << value.substr(0, 30);
    EXPECT_TRUE(WalkAll("Content-Disposition: x" + value + "\n\nx\n").is_cut) << value.substr(0, 30);
  }
  // Together, too.
  std::string parts = multipart + "\n";
  for (int i = 0; i < 200; ++i)
    parts +=
        "\n--b\nContent-Type: text/plain; name=\"" + words.substr(0, 200) + std::to_string(i) + "\"\n\nx";
  EXPECT_TRUE(WalkAll(parts + "\n--b--\n").is_cut);
}

// Names of attached files as they are in mail.
TEST(MimeGuardTest, ManyNamesAreNotHostile) {
  std::string parts = "Content-Type: multipart/mixed; boundary=b\n";
  for (int i = 0; i < 150; ++i) {
    parts +=
        "\n--b\nContent-Type: image/jpeg;\n name=\"=?UTF-8?B?5Lit5paHLQ==?=" + std::to_string(i) +
        ".jpg\"\nContent-Disposition: attachment;\n filename*0*=utf-8''%E4%B8%AD%E6%96%87-;\n filename*1=" +
        std::to_string(i) + ".jpg\nContent-Transfer-Encoding: base64\n\nR0lG";
  }
  const Walk walk = WalkAll(parts + "\n--b--\n");
  EXPECT_FALSE(walk.is_cut);
  ASSERT_THAT(walk.parts, testing::SizeIs(151));
  EXPECT_EQ(walk.parts.back().filename, "\u4E2D\u6587-149.jpg");
}

// Without the guard, these take seconds per megabyte.
TEST(MimeGuardTest, HostileHeadsOfParts) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
  for (const std::string& fields :
       {Repeat("a:\n", 300000), "Content-Type: text/plain; " + Repeat("a=b;", 300000),
        "Content-Type: text/plain" + Repeat(";\n a=b", 100000),
        "Content-Type: message/rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type: message /rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type:\n (x) Message (y) / rfc822\n\n" + Repeat("a:\n", 300000),
        "Content-Type: message/rfc822\n--x: y\n\n" + Repeat("a:\n", 300000),
        "Content-Type: multipart/digest; boundary=c\n\n--c\n\n" + Repeat("a:\n", 300000)}) {
    EXPECT_TRUE(WalkAll(head + fields + "\n\nx\n--b--\n").is_cut) << fields.substr(0, 60);
  }
  const std::string digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\n";
  EXPECT_TRUE(WalkAll(digest + Repeat("a:\n", 300000) + "\n\nx\n--b--\n").is_cut);
  EXPECT_TRUE(
      WalkAll(head + Repeat("a", 4023) + "---b\n" + Repeat("Content-Type: message/rfc822\n\n", 3000)).is_cut);
  // GMime takes quadratic time for addresses.
  EXPECT_FALSE(WalkAll("Content-Type: message/rfc822\n\nTo: " + Repeat("a,", 500000) + "\n\nx\n").is_cut);
  // Long lines of text, or of an attachment, are no head.
  const std::string text = "\n" + Repeat("word word\n", 100000);
  EXPECT_FALSE(WalkAll(digest + "Subject: x\n" + text + "--b--\n").is_cut);
  EXPECT_FALSE(
      WalkAll(head + "Content-Type: text/plain\nContent-Description: the message\n" + text + "--b--\n")
          .is_cut);
}

}  // namespace
}  // namespace thresher::tokenizer
