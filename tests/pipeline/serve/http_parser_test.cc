#include "pipeline/serve/http_parser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <string>
#include <string_view>
#include <vector>

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr size_t kMostOfBody = 1000;

// All requests that a parser finds, as texts, when it gets the bytes in these portions.
std::vector<std::string> ReadHttp(const std::vector<std::string_view>& portions) {
  HttpParser parser(kMostOfBody);
  std::vector<std::string> all;
  const auto collect = [&] {
    while (parser.is_done()) {
      if (const auto& problem = parser.problem()) {
        all.push_back(fmt::format("{} {}", problem->status, problem->why));
        return false;
      }
      const HttpRequest request = parser.TakeRequest();
      std::string text = fmt::format("{} {} '{}'{}", request.method, request.path, request.body,
                                     request.keeps_alive ? "" : " closes");
      for (const auto& [name, value] : request.query) text += fmt::format(" {}={}", name, value);
      for (const auto& [name, value] : request.headers) text += fmt::format(" {}:{}", name, value);
      all.push_back(text);
    }
    return true;
  };
  for (std::string_view portion : portions) {
    while (!portion.empty()) {
      portion.remove_prefix(parser.Take(portion));
      if (!collect()) return all;
    }
  }
  parser.TakeEnd();
  collect();
  return all;
}

std::vector<std::string> ReadHttpInAllWays(const std::string& bytes) {
  const std::string_view text = bytes;
  std::vector<std::string> whole = ReadHttp({text});
  std::vector<std::string_view> single;
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(ReadHttp({text.substr(0, cut), text.substr(cut)}), whole) << "cut at " << cut;
    if (cut < text.size()) single.push_back(text.substr(cut, 1));
  }
  EXPECT_EQ(ReadHttp(single), whole);
  return whole;
}

TEST(HttpParser, ReadsRequests) {
  EXPECT_THAT(ReadHttpInAllWays("GET /ping HTTP/1.1\r\nHost: a\r\n\r\n"), ElementsAre("GET /ping '' host:a"));
  EXPECT_THAT(ReadHttpInAllWays("POST /a%20b?x=1&y=%2f+z&flag HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc"),
              ElementsAre("POST /a b 'abc' closes flag= x=1 y=/ z content-length:3"));
  EXPECT_THAT(ReadHttpInAllWays(
                  "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
              ElementsAre("POST / 'abc' transfer-encoding:chunked"));
  EXPECT_THAT(ReadHttpInAllWays("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              ElementsAre("POST / '' transfer-encoding:chunked"));
}

TEST(HttpParser, ReadsRequestsThatFollowEachOther) {
  EXPECT_THAT(ReadHttpInAllWays("POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET /2 HTTP/1.1\r\n\r\n"
                                "GET /3 HTTP/1.1\r\nConnection: close\r\n\r\n"),
              ElementsAre("POST /1 'a' content-length:1", "GET /2 ''", "GET /3 '' closes connection:close"));
}

TEST(HttpParser, ReadsTargetsAsProxiesGetThem) {
  EXPECT_THAT(ReadHttpInAllWays("GET http://localhost:80/ping?x=a://b HTTP/1.1\r\nHost: other\r\n\r\n"),
              ElementsAre("GET /ping '' x=a://b host:localhost:80"));
  EXPECT_THAT(ReadHttpInAllWays("GET http://localhost HTTP/1.1\r\n\r\n"),
              ElementsAre("GET / '' host:localhost"));
  EXPECT_THAT(ReadHttpInAllWays("GET /a?x=http://b/c HTTP/1.1\r\nHost: d\r\n\r\n"),
              ElementsAre("GET /a '' x=http://b/c host:d"));
  // These say nothing about the host.
  for (const char* target :
       {"x:///ping", "http:///ping", "http://localhost:1@d.example/ping", "zz?u=://e/ping"})
    EXPECT_THAT(ReadHttpInAllWays(std::string("GET ") + target + " HTTP/1.1\r\nHost: d\r\n\r\n"),
                ElementsAre(EndsWith("host:d")))
        << target;
}

TEST(HttpParser, ATargetThatCouldMeanTwoThingsIsRefused) {
  const auto read = [](const std::string& target) {
    return ReadHttpInAllWays("POST " + target + " HTTP/1.1\r\n\r\n");
  };
  EXPECT_THAT(read("/learn?&&label=spam&"), ElementsAre(testing::StartsWith("POST /learn ")));
  for (const char* target : {"/learn?label=spam&label=ham", "/learn?label=spam&user=a&l%61bel=spam"})
    EXPECT_THAT(read(target), ElementsAre("400 the query has a name twice")) << target;
  for (const char* target : {"/a%zz", "/?user=%zz", "/?%=1", "/?user=a%4"})
    EXPECT_THAT(read(target), ElementsAre(StartsWith("400 a % in the target is not followed by"))) << target;
}

TEST(HttpParser, EmptyLinesBeforeARequestMeanNothing) {
  EXPECT_THAT(ReadHttpInAllWays("\r\nPOST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\n\r\n"
                                "GET /2 HTTP/1.1\r\n\r\n\r\n"),
              ElementsAre("POST /1 'a' content-length:1", "GET /2 ''"));
  EXPECT_THAT(ReadHttpInAllWays("\rGET / HTTP/1.1\r\n\r\n"), ElementsAre(StartsWith("400 ")));
  HttpParser parser(100);
  EXPECT_TRUE(parser.IsAtRest());
  for (const char* bytes : {"\r\n", "\r\n\r\n"}) {
    parser.Take(bytes);
    EXPECT_TRUE(parser.IsAtRest());
  }
  for (const char* bytes : {"\r", "\nG", "ET / HTTP/1.1\r\n\r\n"}) {
    parser.Take(bytes);
    EXPECT_FALSE(parser.IsAtRest());
  }
  parser.TakeRequest();
  EXPECT_TRUE(parser.IsAtRest());
}

// What follows would else be read as another request.
TEST(HttpParser, RefusesCodingsThatItDoesNotKnow) {
  for (const char* coding : {"identity", "xchunked", "chunked, identity", "gzip, chunked"}) {
    EXPECT_THAT(ReadHttpInAllWays(std::string("POST /learn HTTP/1.1\r\nTransfer-Encoding: ") + coding +
                                  "\r\n\r\nGET /stats HTTP/1.1\r\n\r\n"),
                ElementsAre(testing::AnyOf(StartsWith("501 "), StartsWith("400 "))))
        << coding;
  }
  EXPECT_THAT(ReadHttpInAllWays("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
              ElementsAre(StartsWith("415 ")));
}

std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string Compressed(std::string_view compression, std::string_view body) {
  return "POST /checkv2 HTTP/1.1\r\nCompression: " + std::string(compression) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// As `rspamc -z` sends it.
TEST(HttpParser, DecompressesABody) {
  const std::string mail = "Subject: x\n\n" + std::string(900, 'm');
  HttpParser parser(1000);
  const std::string request = Compressed("zstd", Zstd(mail));
  ASSERT_EQ(parser.Take(request), request.size());
  ASSERT_TRUE(parser.is_done() && !parser.problem());
  EXPECT_EQ(parser.body_bytes(), mail.size());
  EXPECT_EQ(parser.TakeRequest().body, mail);
  EXPECT_THAT(ReadHttpInAllWays(Compressed("ZSTD", Zstd(mail))), ElementsAre(StartsWith("POST /checkv2")));
  EXPECT_THAT(ReadHttpInAllWays(Compressed("zstd", Zstd(std::string(1000, 'm')))),
              ElementsAre(StartsWith("POST")));
  EXPECT_THAT(ReadHttpInAllWays(Compressed("zstd", Zstd(std::string(1001, 'm')))),
              ElementsAre("413 the body is too large"));
  const std::string frame = Zstd(mail);
  for (const std::string& wrong : {mail, "\x27\xb5\x2f\xfd" + frame.substr(4),
                                   frame.substr(0, frame.size() - 1), frame + "x", frame + frame})
    EXPECT_THAT(ReadHttpInAllWays(Compressed("zstd", wrong)),
                ElementsAre("400 the body is not compressed by zstd"));
  EXPECT_THAT(ReadHttpInAllWays(Compressed("lz4", frame)), ElementsAre(StartsWith("415 ")));
}

TEST(HttpParser, SaysWhatIsWrong) {
  EXPECT_THAT(ReadHttpInAllWays("nonsense\r\n\r\n"), ElementsAre(StartsWith("400 ")));
  EXPECT_THAT(ReadHttpInAllWays("GET / HTTP/1.1\r\nno colon\r\n\r\n"), ElementsAre(StartsWith("400 ")));
  EXPECT_THAT(ReadHttpInAllWays("GET / HTTP/1.1\r\nHost"), ElementsAre("400 the request is not complete"));
  EXPECT_THAT(ReadHttpInAllWays("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc"),
              ElementsAre("400 the request is not complete"));
  EXPECT_THAT(ReadHttpInAllWays("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n"),
              ElementsAre("413 the body is too large"));
  EXPECT_THAT(ReadHttpInAllWays(
                  "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              ElementsAre(StartsWith("400 ")));
  EXPECT_THAT(ReadHttp({"GET / HTTP/1.1\r\nX: " + std::string(20000, 'x')}),
              ElementsAre("431 the header is too large"));
  EXPECT_THAT(
      ReadHttp({"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + std::string(2000, 'x')}),
      ElementsAre("413 the body is too large"));
  EXPECT_TRUE(ReadHttpInAllWays("").empty());
}

// Here Beast reads the header of the chunk again with each byte, up to the closing quotation mark, which is
// not in its line.
TEST(HttpParser, ChunksCountOnceHoweverOftenTheirHeaderIsRead) {
  EXPECT_THAT(ReadHttpInAllWays("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n62;a=\"\r\n" +
                                std::string(40, ' ') + "\"\r\n"),
              ElementsAre(StartsWith("400 bad chunk extension")));
}

TEST(HttpParser, HeadersOfChunksEnd) {
  const std::string_view head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string some(1000, 'x');
  for (const std::string_view begin : {"5;a=", "5;a=\"\r\n", "0\r\nX: "}) {
    std::vector<std::string_view> portions = {head, begin};
    portions.insert(portions.end(), 20, some);
    EXPECT_THAT(ReadHttp(portions), ElementsAre("431 the header is too large")) << begin;
  }
}

TEST(HttpParser, ExpectsToBeToldToGoOn) {
  HttpParser parser(kMostOfBody);
  parser.Take("POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n");
  EXPECT_FALSE(parser.TakeExpectsContinue());
  parser.Take("\r\n");
  EXPECT_TRUE(parser.TakeExpectsContinue());
  EXPECT_FALSE(parser.TakeExpectsContinue());
  parser.Take("abc");
  EXPECT_TRUE(parser.is_done());
  EXPECT_FALSE(parser.problem());
}

}  // namespace
}  // namespace thresher::pipeline
