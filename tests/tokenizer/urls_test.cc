// URLs in text and single URLs: hosts in every notation, ends of URLs, hostile text.
#include "tokenizer/urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace thresher::tokenizer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Url Parsed(std::string_view text) {
  Url url;
  EXPECT_TRUE(ParseUrl(text, &url)) << text;
  return url;
}

std::vector<std::string> FoundIn(std::string_view text) {
  std::vector<std::string> found;
  ForEachUrl(text, [&](const Url&, std::string_view whole) { found.emplace_back(whole); });
  return found;
}

TEST(UrlsTest, Parts) {
  const Url url = Parsed("HTTP://A.b.Example.com.:8080/Foo/bar-baz.html?q=1#top");
  EXPECT_EQ(url.scheme, "http");
  EXPECT_EQ(url.host, "a.b.example.com");
  EXPECT_THAT(url.host_suffixes, ElementsAre("b.example.com", "example.com"));
  EXPECT_THAT(url.path_words, ElementsAre("foo", "bar", "baz", "html", "q", "1", "top"));
  EXPECT_TRUE(url.has_port);
  EXPECT_FALSE(url.has_user || url.is_address || url.is_obfuscated);
}

TEST(UrlsTest, FoundInText) {
  EXPECT_THAT(FoundIn("see http://a.com/x, or (https://b.org) and www.c.net. mailto:joe@d.com! <ftp://e.f/>"),
              ElementsAre("http://a.com/x", "https://b.org", "www.c.net", "mailto:joe@d.com", "ftp://e.f/"));
  EXPECT_THAT(FoundIn("http:// https:/x xhttp://a.com www. wwww.a.com awww.b.c foo:bar http:"), IsEmpty());
  EXPECT_THAT(FoundIn("http://a.com\u4E2D\u6587"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://\u043F\u0440.\u0440\u0444/x y"),
              ElementsAre("http://\u043F\u0440.\u0440\u0444/x"));
  EXPECT_THAT(FoundIn("http:///http://a.com"), ElementsAre("http://a.com"));
}

// Cyrillic letters among Latin ones, but no Chinese text.
TEST(UrlsTest, HostsWithLettersLikeLatin) {
  for (const std::string host :
       {"p\u0430ypal.com", "go\u043Egl\u0435.com", "www.p\u0430ypal.com", "www.\u0430pple.com",
        "ex\u00E4mple.com", "e\u1E8Bample.com", "my.\u13A0pple.example.com"}) {
    const std::string url = (host.starts_with("www") ? "" : "http://") + host;
    EXPECT_THAT(FoundIn("see " + url + "."), ElementsAre(url));
    EXPECT_THAT(FoundIn("(" + url + "/login)\u043F"), ElementsAre(url + "/login"));
    EXPECT_EQ(Parsed(FoundIn(url).front()).host, host);
  }
  EXPECT_THAT(FoundIn("http://a.com\u6216\u8005www.b.com/x"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://a.com\u3001b.com"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://a.com\u2013b.com"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://a.com\u0438 b.com"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://a.com.\u0418 www.\u0438. www.\u0438 b.com"), ElementsAre("http://a.com"));
  EXPECT_THAT(FoundIn("http://a.com/\u0438.b"), ElementsAre("http://a.com/"));
}

TEST(UrlsTest, AddressesInAnyNotation) {
  for (const std::string_view host :
       {"192.168.1.10", "3232235786", "0xC0A8010A", "0300.0250.1.012", "192.168.266", "192.11010314"}) {
    const Url url = Parsed("http://" + std::string(host) + "/");
    EXPECT_EQ(url.host, "192.168.1.10") << host;
    EXPECT_TRUE(url.is_address) << host;
    EXPECT_EQ(url.is_obfuscated, host != "192.168.1.10") << host;
    EXPECT_THAT(url.host_suffixes, IsEmpty());
  }
  EXPECT_EQ(Parsed("http://[::1]:80/").host, "::1");
  EXPECT_TRUE(Parsed("http://[::1]:80/").is_address);
}

TEST(UrlsTest, NearlyAddresses) {
  for (const std::string_view host : {"300.1.1.1", "1.2.3.4.5", "1.2.3.x", "99999999999", "0x.1", "08.1"}) {
    EXPECT_FALSE(Parsed("http://" + std::string(host) + "/").is_address) << host;
  }
}

TEST(UrlsTest, Disguises) {
  EXPECT_EQ(Parsed("https://evil.example%2Fx").host, "evil.example");
  EXPECT_EQ(Parsed("https://evil.example%20.good.example/x").host, "evil.example");
  const Url encoded = Parsed("http://%65vil.com/");
  EXPECT_EQ(encoded.host, "evil.com");
  EXPECT_TRUE(encoded.is_obfuscated);
  EXPECT_TRUE(Parsed("http://xn--p1ai.com/").is_obfuscated);
  EXPECT_TRUE(Parsed("http://\u043F\u0440.com/").is_obfuscated);
  const Url user = Parsed("http://paypal.com:80@evil.example/");
  EXPECT_EQ(user.host, "evil.example");
  EXPECT_TRUE(user.has_user);
  EXPECT_FALSE(Parsed("mailto:joe@example.com?subject=hi").has_user);
}

TEST(UrlsTest, LinksAsBrowsersReadThem) {
  const std::string long_user(100000, 'a');
  for (const std::string& link :
       {std::string("http:\\\\evil.example\\x"), std::string("http:/evil.example/x"),
        std::string("https:evil.example"), std::string("\\/evil.example"),
        std::string("http://evil.example\\@good.example/"),
        std::string("http://good.example {\"x\"}@evil.example"), "http://" + long_user + "@evil.example/x",
        "http://good.example " + long_user + "@evil.example"}) {
    EXPECT_EQ(Parsed(link).host, "evil.example") << link.substr(0, 60);
  }
  EXPECT_THAT(Parsed("http:\\\\evil.example\\login\\pay").path_words, ElementsAre("login", "pay"));
  EXPECT_EQ(Parsed("///evil.example").host, "evil.example");
  EXPECT_EQ(Parsed("http://evil\u3002exa\uFF0Em\uFF61ple").host, "evil.exa.m.ple");
  EXPECT_EQ(Parsed("http://evil%E3%80%82example/").host, "evil.example");
  EXPECT_EQ(Parsed("http://www.info.co.cr\u00A0Mexico").host, "www.info.co.cr");
  EXPECT_EQ(Parsed("\x01 http://evil.example\x02").host, "evil.example");
  EXPECT_EQ(Parsed("http://ex\u00E4mple.com/").host, "ex\u00E4mple.com");
}

TEST(UrlsTest, AloneInAnAttribute) {
  EXPECT_EQ(Parsed(" //cdn.example.com/x ").host, "cdn.example.com");
  EXPECT_EQ(Parsed("WWW.Example.com").host, "www.example.com");
  Url url;
  for (const std::string_view no_host :
       {"", "/x", "x.html", "cid:1@2", "javascript:alert(1)", "http:", "http://", "mailto:", "#",
        "data:text/html,x", "http:///", "http://@/"}) {
    EXPECT_FALSE(ParseUrl(no_host, &url)) << no_host;
  }
}

TEST(UrlsTest, LengthsAreBounded) {
  const Url url = Parsed("http://" + std::string(1000, 'a') + ".com/" + std::string(1000, 'b') +
                         "/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c");
  EXPECT_LE(url.host.size(), 255U);
  EXPECT_THAT(url.path_words, SizeIs(16));
  EXPECT_THAT(url.path_words[0], SizeIs(64));
  std::string labels;
  for (int i = 0; i < 100; ++i) labels += "a.";
  EXPECT_THAT(Parsed("http://" + labels + "b.c.com").host_suffixes,
              ElementsAre("a.b.c.com", "b.c.com", "c.com"));
}

TEST(UrlsTest, FindsOnlyWhatLiesInTheText) {
  constexpr auto kPieces = std::to_array<std::string_view>(
      {"http", "https", "://", "//", ":", "www", ".",  "mailto:", "@",  "[",     "]", "%41",
       "%",    "a",     "1",   "/",  "?", " ",   "\n", "\xE4",    "0x", "x.com", ")"});
  std::mt19937_64 random(5);
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (size_t i = random() % 24; i > 0; --i) text += kPieces[random() % kPieces.size()];
    const char* end = text.data();
    ForEachUrl(text, [&](const Url& url, std::string_view whole) {
      EXPECT_GE(whole.data(), end);
      EXPECT_LE(whole.data() + whole.size(), text.data() + text.size());
      EXPECT_FALSE(url.host.empty());
      // A URL that was found in text parses as the same URL.
      Url alone;
      EXPECT_TRUE(ParseUrl(whole, &alone)) << whole;
      EXPECT_EQ(alone.host, url.host) << whole;
      end = whole.data() + whole.size();
    });
  }
}

}  // namespace
}  // namespace thresher::tokenizer
