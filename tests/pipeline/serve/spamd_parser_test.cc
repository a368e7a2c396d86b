#include "pipeline/serve/spamd_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace thresher::pipeline {
namespace {

constexpr size_t kMost = 1000;

// Everything that a parser says, as one text.
std::string Said(SpamdParser& parser) {
  if (!parser.is_done()) return "unfinished";
  if (parser.problem()) return fmt::format("problem {}: {}", parser.problem()->code, parser.problem()->why);
  const SpamdRequest& request = parser.request();
  const int label = request.message_class ? static_cast<int>(*request.message_class) : 0;
  return fmt::format("verb {} user '{}' class {} set {} remove {} zlib {} message '{}'",
                     static_cast<int>(request.verb), request.user, label, request.set_local,
                     request.remove_local, request.compressed, request.message);
}

std::string Read(std::string_view first, std::string_view second = "") {
  SpamdParser parser(kMost);
  if (parser.Take(first) == first.size()) parser.Take(second);
  if (!parser.is_done()) parser.TakeEnd();
  return Said(parser);
}

// The same in two portions of any lengths, and byte by byte.
std::string ReadInAllWays(const std::string& bytes) {
  const std::string whole = Read(bytes);
  const std::string_view all = bytes;
  for (size_t cut = 0; cut <= all.size(); ++cut) {
    EXPECT_EQ(Read(all.substr(0, cut), all.substr(cut)), whole) << "cut at " << cut << " in " << bytes;
  }
  SpamdParser parser(kMost);
  for (size_t i = 0; i < all.size() && !parser.is_done(); ++i) {
    EXPECT_EQ(parser.Take(all.substr(i, 1)), 1U);
  }
  if (!parser.is_done()) parser.TakeEnd();
  EXPECT_EQ(Said(parser), whole);
  return whole;
}

TEST(SpamdParser, ReadsWhatSpamcSends) {
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nUser: alice\r\nContent-length: 5\r\n\r\na\r\nbc"),
            "verb 0 user 'alice' class 0 set false remove false zlib false message 'a\r\nbc'");
  EXPECT_EQ(
      ReadInAllWays("TELL SPAMC/1.5\r\nMessage-class: spam\r\nSet: local\r\nContent-length: 1\r\n\r\nx"),
      "verb 8 user '' class 1 set true remove false zlib false message 'x'");
  EXPECT_EQ(ReadInAllWays("TELL SPAMC/1.5\r\nRemove: remote, local\r\nContent-length: 0\r\n\r\n"),
            "verb 8 user '' class 0 set false remove true zlib false message ''");
  EXPECT_EQ(ReadInAllWays("PROCESS SPAMC/1.5\r\nCompress: zlib\r\nContent-length: 2\r\n\r\nzz"),
            "verb 4 user '' class 0 set false remove false zlib true message 'zz'");
}

TEST(SpamdParser, IsTolerantWhereSpamdIs) {
  const std::string plain = "verb 1 user 'bob' class 0 set false remove false zlib false message 'text'";
  EXPECT_EQ(ReadInAllWays("SYMBOLS SPAMC/1.2\nuser:bob\ncontent-LENGTH:  4 \n\ntext"), plain);
  EXPECT_EQ(ReadInAllWays("SYMBOLS SPAMC/1.2\r\nUser: bob\r\n\r\ntext"), plain);  // no length: up to the end
  EXPECT_EQ(ReadInAllWays("SYMBOLS SPAMC/1.2\r\nUser: bob\r\nX-New: 1\r\nContent-length: 4\r\n\r\ntext"),
            plain);
}

TEST(SpamdParser, PingNeedsNoHeader) {
  SpamdParser parser(kMost);
  EXPECT_EQ(parser.Take("PING SPAMC/1.2\r\n\r\n"), 16U);
  EXPECT_TRUE(parser.is_done());
  EXPECT_FALSE(parser.problem());
}

TEST(SpamdParser, StopsAtTheEndOfTheRequest) {
  SpamdParser parser(kMost);
  const std::string request = "CHECK SPAMC/1.5\r\nContent-length: 2\r\n\r\nab";
  EXPECT_EQ(parser.Take(request + "CHECK SPAMC/1.5\r\n"), request.size());
  EXPECT_EQ(parser.request().message, "ab");
}

TEST(SpamdParser, SaysWhatIsWrong) {
  EXPECT_EQ(ReadInAllWays("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            "problem 76: Bad header line: (GET / HTTP/1.1)");
  EXPECT_EQ(ReadInAllWays("CHECK\r\n\r\n"), "problem 76: Bad header line: (CHECK)");
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nnonsense\x01\r\n\r\n"),
            "problem 76: Bad header line: (nonsense?)");
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nContent-length: 5\r\n\r\nabc"),
            "problem 76: Content-length mismatch: expected 5 bytes, got 3");
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nContent-length: -1\r\n\r\n"),
            "problem 76: Content-length: expected one number");
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nContent-length: 1\r\nContent-length: 2\r\n\r\n"),
            "problem 76: Content-length: expected one number");
  EXPECT_EQ(ReadInAllWays("TELL SPAMC/1.5\r\nSet: local\r\nContent-length: 1\r\n\r\nx"),
            "problem 76: TELL with Set needs the header Message-class");
  EXPECT_EQ(ReadInAllWays("TELL SPAMC/1.5\r\nMessage-class: eggs\r\n\r\nx"),
            "problem 76: Message-class: expected spam or ham");
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nUser: a"),
            "problem 76: the request ends before the empty line after its header");
  EXPECT_EQ(ReadInAllWays(""), "problem 76: the request ends before the empty line after its header");
}

TEST(SpamdParser, HasLimits) {
  const std::string too_large = "problem 65: the message has more than 1000 bytes";
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\nContent-length: 1001\r\n\r\n"), too_large);
  EXPECT_EQ(ReadInAllWays("CHECK SPAMC/1.5\r\n\r\n" + std::string(1001, 'x')), too_large);
  EXPECT_EQ(Read("CHECK SPAMC/1.5\r\nContent-length: 99999999999999999999\r\n\r\n"),
            "problem 76: Content-length: expected one number");
  EXPECT_EQ(Read("CHECK " + std::string(5000, 'x')), "problem 76: a line of the header is too long");
  std::string headers = "CHECK SPAMC/1.5\r\n";
  for (int i = 0; i < 100; ++i) headers += "X: y\r\n";
  EXPECT_EQ(Read(headers), "problem 76: Bad header line: (X: y)");
}

}  // namespace
}  // namespace thresher::pipeline
