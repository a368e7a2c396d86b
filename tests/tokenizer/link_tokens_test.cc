#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/token_texts.h"

namespace thresher::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::set<std::string> LinkTokensOf(const std::string& body,
                                   const std::string& head = "From: a@shop.example\n") {
  Options options = NoTokens();
  options.link_targets = true;
  return TokenTexts(head + "\n" + body, options);
}
std::set<std::string> OfHtml(const std::string& html) {
  return LinkTokensOf(html, "From: a@shop.example\nContent-Type: text/html\n");
}

TEST(LinkTokens, WhereLinksLead) {
  EXPECT_THAT(LinkTokensOf("https://www.shop.example/a http://a.b.c.d.evil.top/"),
              IsSupersetOf({"link:from-domain", "link:other-domain", "link:tld:example", "link:tld:top",
                            "link:labels:many"}));
  EXPECT_THAT(LinkTokensOf("https://bit.ly/3xyz"), Contains("link:shortener"));
  EXPECT_THAT(LinkTokensOf("https://notbit.ly/3xyz"), Not(Contains("link:shortener")));
  EXPECT_THAT(LinkTokensOf("mailto:joe@other.example"), Not(Contains("link:other-domain")));
}

TEST(LinkTokens, Redirects) {
  for (const char* url : {"https://search.example/url?q=https://evil.example/x",
                          "https://search.example/url?q=https%3A%2F%2Fevil.example%2Fx",
                          "https://search.example/url?q=https%253A%252F%252Fevil.example",
                          "https://search.example/url?http=1&q=https://evil.example/x"}) {
    EXPECT_THAT(LinkTokensOf(url), IsSupersetOf({"link:redirect", "link:redirect-to:evil.example"})) << url;
  }
  EXPECT_THAT(LinkTokensOf("https://search.example/about-http"), Not(Contains("link:redirect")));
  EXPECT_THAT(LinkTokensOf("https://evil.example/login?u=victim@here.example"), Contains("link:has-address"));
  EXPECT_THAT(LinkTokensOf("https://evil.example/login#victim%40here.example"), Contains("link:has-address"));
}

TEST(LinkTokens, LinksWithoutAHost) {
  EXPECT_THAT(OfHtml("<a href='data:text/html;base64,QUJD'>x</a><a href='javascript:x()'>y</a>"
                     "<a href='#'>z</a><img src='cid:1@2'>"),
              AllOf(IsSupersetOf(
                        {"link:data:text/html", "link:scheme:javascript", "link:nowhere", "link:scheme:cid"}),
                    Not(Contains(StartsWith("link:data:text/html;")))));
}

TEST(LinkTokens, LinksOfOtherSchemesThatNameAPage) {
  for (const char* link :
       {"microsoft-edge:https://evil.example/x", "ms-word:ofe|u|https://evil.example/x",
        "view-source:https://evil.example/x", "javascript:location='https%3A//evil.example'"})
    EXPECT_THAT(OfHtml("<a href=\"" + std::string(link) + "\">x</a>"),
                Contains("link:redirect-to:evil.example"))
        << link;
  EXPECT_THAT(OfHtml("<img src='cid:a@b.example'><img src='data:image/svg+xml,http://www.w3.org/2000/svg'>"),
              Not(Contains(::testing::AnyOf("link:redirect", "link:has-address"))));
}

TEST(LinkTokens, Scripts) {
  EXPECT_THAT(OfHtml("<SCRIPT>var b = new Blob([atob('QUJD')]); URL.createObjectURL(b)</SCRIPT>"),
              IsSupersetOf({"script:any", "script:atob(", "script:new blob", "script:createobjecturl"}));
  EXPECT_THAT(OfHtml("<p>atob( is a function</p>"), Not(Contains(StartsWith("script:"))));
}

TEST(LinkTokens, PdfFiles) {
  const std::string pdf = "Content-Type: application/pdf\n";
  EXPECT_THAT(
      LinkTokensOf("%PDF-1.4\n<< /S /URI /URI (https://pay.evil.example/x) >> /URI(http://b.example)\n"
                   "/JavaScript /Encrypt",
                   pdf),
      IsSupersetOf({"link:pdf:pay.evil.example", "link:pdf:evil.example", "link:pdf:b.example",
                    "link:pdf-links:2", "link:pdf-script", "link:pdf-encrypted"}));
  EXPECT_THAT(LinkTokensOf("%PDF-1.4\n/URI (http://b.example)", "Content-Type: application/octet-stream\n"),
              Contains("link:pdf:b.example"));
  EXPECT_THAT(LinkTokensOf("see %PDF-1.4"), Not(Contains(StartsWith("link:pdf"))));
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "/URI (http://h" + std::to_string(i) + ".example/)";
  EXPECT_LT(LinkTokensOf(many, pdf).size(), 100u);
  LinkTokensOf("/URI", pdf);
  LinkTokensOf("/URI (", pdf);
}

}  // namespace
}  // namespace thresher::tokenizer
