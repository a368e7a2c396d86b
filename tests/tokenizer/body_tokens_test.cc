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

Options WithoutNgrams() {
  Options options;
  options.raw_ngrams = false;
  return options;
}

constexpr std::string_view kMixed =
    "Subject: report\n"
    "MIME-Version: 1.0\n"
    "Content-Type: multipart/mixed; boundary=b\n\n"
    "--b\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"
    "Gr=FC=DFe aus K=F6ln\n"
    "--b\nContent-Type: text/html\n\n"
    "<html><body>Buy V<b></b>iagra <a href=\"http://evil.example.com/order?id=7\">now</a></body></html>\n"
    "--b\nContent-Type: application/x-msdownload; name=\"Free Game.exe\"\n"
    "Content-Disposition: attachment; filename=\"Free Game.exe\"\nContent-Transfer-Encoding: base64\n\n"
    "TVqQAAMAAAA=\n"
    "--b--\n";

TEST(BodyTokens, PartsOfAMail) {
  EXPECT_THAT(
      TokenTexts(kMixed, WithoutNgrams()),
      IsSupersetOf({"body:gr\xC3\xBCsse", "body:k\xC3\xB6ln", "pair:body:aus k\xC3\xB6ln", "body:viagra",
                    "pair:body:buy viagra", "mime:type:text/html", "mime:charset:iso-8859-1",
                    "mime:encoding:quoted-printable", "mime:parts:4", "mime:disposition:attachment",
                    "url:host:evil.example.com", "url:suffix:example.com", "url:path:order",
                    "url:scheme:http", "attachment:type:application/x-msdownload", "attachment:name:free",
                    "attachment:extension:exe", "attachment:size:8"}));
}

TEST(BodyTokens, DigestNamesTheAttachment) {
  const std::set<std::string> tokens = TokenTexts(kMixed, WithoutNgrams());
  std::string other(kMixed);
  other.replace(other.find("TVqQ"), 4, "AAAA");
  EXPECT_THAT(tokens, Contains(StartsWith("attachment:digest:")));
  for (const std::string& token : TokenTexts(other, WithoutNgrams())) {
    if (token.starts_with("attachment:digest:")) {
      EXPECT_THAT(tokens, Not(Contains(token)));
    }
  }
}

TEST(BodyTokens, WebFilesAreReadWhateverTheirType) {
  const auto tokens_of = [](const std::string& type, const std::string& name) {
    return TokenTexts("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: " + type +
                          "; name=\"" + name + "\"\nContent-Disposition: attachment\n\n" +
                          "<a href=http://evil.example/>pay</a>\n--b--\n",
                      WithoutNgrams());
  };
  for (const auto& [type, name] :
       {std::pair("application/octet-stream", "Invoice.HTML"), std::pair("image/svg+xml", "x"),
        std::pair("application/x", "a.b.svg."), std::pair("message/x", "y")}) {
    EXPECT_THAT(tokens_of(type, name), IsSupersetOf({"body:pay", "url:host:evil.example"})) << name;
  }
  for (const char* type : {"text/x-amp-html", "Text/Watch-HTML"})
    EXPECT_THAT(tokens_of(type, "x"), AllOf(Contains("html:tag:a"), Not(Contains("body:href")))) << type;
  for (const char* name : {"html", "x.htmlx", "x.html.zip"}) {
    EXPECT_THAT(tokens_of("application/octet-stream", name), Not(Contains("body:pay"))) << name;
  }
}

TEST(BodyTokens, APageNamesItsCharset) {
  for (const char* meta : {"<meta charset=iso-2022-jp>",
                           "<META http-equiv=Content-Type content=\"text/html; charset='ISO-2022-JP'\">"}) {
    const std::string page = std::string("Content-Type: text/html\n\n<html>") + meta +
                             "V\x1B(Jiagra <a hre\x1B(Jf='http://evil.example/'>x</a>";
    EXPECT_THAT(TokenTexts(page, WithoutNgrams()), IsSupersetOf({"body:viagra", "url:host:evil.example"}))
        << meta;
  }
  EXPECT_THAT(
      TokenTexts("Content-Type: text/html; charset=us-ascii\n\n<meta charset=iso-2022-jp>V\x1B(Jiagra",
                 WithoutNgrams()),
      Not(Contains("body:viagra")));
}

TEST(BodyTokens, APageCannotNameACharsetThatBrowsersIgnore) {
  const auto tokens_of = [](const std::string& charset, const std::string& text) {
    return TokenTexts("Content-Type: text/html\n\n<html><meta charset=" + charset + ">" + text,
                      WithoutNgrams());
  };
  for (const char* charset : {"utf-7", "unicode-1-1-utf-7", "hz-gb-2312", "iso-2022-kr", "nonsense"}) {
    EXPECT_THAT(tokens_of(charset, "buy +viagra- ~{now~} \x0E!!\x0F"),
                IsSupersetOf({"body:buy", "body:viagra", "body:now"}))
        << charset;
  }
  for (const char* charset : {"utf-16", "utf-16be", "utf-32"}) {
    EXPECT_THAT(tokens_of(charset, std::string("viagra\0", 7)), Contains("body:viagra")) << charset;
  }
  EXPECT_THAT(tokens_of("iso-8859-5", "\xBF\xE0\xD8\xD2\xD5\xE2"),
              Contains("body:\u043F\u0440\u0438\u0432\u0435\u0442"));
}

TEST(BodyTokens, LinksInHiddenTextAndConditionalComments) {
  EXPECT_THAT(TokenTexts("Content-Type: text/html\n\n<p hidden>http://one.example/</p>"
                         "<!--[if mso]><a href=\"http://two.example/\">x</a><![endif]-->",
                         WithoutNgrams()),
              IsSupersetOf({"url:host:one.example", "url:host:two.example"}));
}

TEST(BodyTokens, LinksInScripts) {
  EXPECT_THAT(
      TokenTexts("Content-Type: text/html\n\n<script>window.location.href=\"https://evil.example/login\""
                 "</script>",
                 WithoutNgrams()),
      AllOf(IsSupersetOf({"url:host:evil.example", "url:path:login", "link:tld:example"}),
            Not(Contains("body:login")), Not(Contains("hidden:login"))));
}

// Spam puts text of ham where no mail program shows it.
TEST(BodyTokens, PartsBesideTheRootAreNoVisibleText) {
  const auto tokens_of = [](const std::string& second) {
    return TokenTexts(
        "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        "<p>pay<img src=cid:x></p>\n--b\n" +
            second + "\n--b\nContent-Type: image/png\nContent-ID: <x>\n\nPNG\n--b--\n",
        WithoutNgrams());
  };
  for (const std::string headers :
       {"Content-Type: text/html", "",
        "Content-Type: text/html\nContent-Disposition: inline\nContent-ID: <y>"}) {
    const std::set<std::string> tokens =
        tokens_of(headers +
                  "\n\n<html>kernel <i>patch</i><b hidden>meeting</b> http://one.example/\n"
                  "<a href='http://two.example/x'>go</a></html>");
    EXPECT_THAT(tokens, IsSupersetOf({"body:pay", "hidden:kernel", "hidden:patch", "hidden:meeting",
                                      "url:host:one.example", "url:host:two.example", "html:tag:p",
                                      "composition:images:2", "attachment:size:128",
                                      "composition:no-text-but-images"}))
        << headers;
    for (const char* token : {"body:kernel", "pair:body:kernel patch", "html:tag:i", "html:hidden-text"})
      EXPECT_THAT(tokens, Not(Contains(token))) << headers;
  }
  EXPECT_THAT(tokens_of("\nkernel http://one.example/"),
              AllOf(IsSupersetOf({"hidden:kernel", "url:host:one.example"}), Not(Contains("body:kernel"))));
  // A file is read as files are.
  EXPECT_THAT(tokens_of("Content-Type: text/html; name=a.html\n\n<i>kernel"),
              AllOf(IsSupersetOf({"body:kernel", "html:tag:i", "attachment:extension:html"}),
                    Not(Contains("hidden:kernel"))));
  EXPECT_THAT(tokens_of("Content-Type: image/svg+xml\n\n<svg><text>kernel</text></svg>"),
              Contains("body:kernel"));
}

TEST(BodyTokens, WhatIsShownOfEmbeddedMessages) {
  const std::string inner =
      "--b\nContent-Type: message/rfc822; name=\"Old Invoice.eml\"\n\nAubject: forged\nZubject: forged\n"
      "fRom : Mallory <m@spam.example>\nSubject: =?utf-8?q?c=C3=A4sh?=\n now http://link.example/x\nSubject: "
      "second\n"
      "To: unseen@example.org\n";
  const std::set<std::string> tokens = TokenTexts(
      "Subject: hello\nContent-Type: multipart/mixed; boundary=b\n\n" + inner + "\nSubject: text\n--b--\n",
      WithoutNgrams());
  EXPECT_THAT(tokens, IsSupersetOf({"body:mallory", "body:spam.example", "body:c\u00E4sh", "body:now",
                                    "pair:body:c\u00E4sh now", "url:host:link.example", "body:text",
                                    "attachment:name:invoice.eml", "attachment:extension:eml",
                                    "composition:words:2"}));
  for (const char* unseen :
       {"body:unseen", "body:forged", "body:second", "subject:c\u00E4sh", "attachment:size:0"})
    EXPECT_THAT(tokens, Not(Contains(unseen)));
  // Beside the body.
  const std::set<std::string> beside =
      TokenTexts("Content-Type: multipart/related; boundary=b\n\n--b\n\nroot\n" + inner + "\ntext\n--b--\n",
                 WithoutNgrams());
  EXPECT_THAT(beside, AllOf(IsSupersetOf({"body:root", "hidden:c\u00E4sh", "url:host:link.example"}),
                            Not(Contains("body:c\u00E4sh"))));
  EXPECT_THAT(TokenTexts("Content-Type: message/rfc822\n\nSubject: whole\n\ntext", WithoutNgrams()),
              IsSupersetOf({"body:whole", "body:text"}));
}

TEST(BodyTokens, HeadsOfEmbeddedMessagesKeepTheLimits) {
  std::string nested = "Content-Type: message/rfc822\n";
  std::string message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nleaf\n--b\n";
  for (int i = 0; i < 2000; ++i) message += nested + "\nSubject: word" + std::to_string(i) + "\n";
  Options options = WithoutNgrams();
  const std::set<std::string> deep = TokenTexts(message + "\n", options);
  EXPECT_THAT(deep,
              AllOf(IsSupersetOf({"body:leaf", "body:word0", "mime:cut"}), Not(Contains("body:word1999"))));
  options.decoded_bytes = 10;
  const std::set<std::string> cut = TokenTexts(nested + "\nSubject: one two three four\n\nfive", options);
  EXPECT_THAT(cut, AllOf(IsSupersetOf({"body:one", "mime:cut"}), Not(Contains("body:four")),
                         Not(Contains("body:five"))));
}

TEST(BodyTokens, WhatIsCutIsAToken) {
  Options options = WithoutNgrams();
  EXPECT_THAT(TokenTexts(kMixed, options), Not(Contains("mime:cut")));
  options.mime_parts = 2;
  EXPECT_THAT(TokenTexts(kMixed, options), Contains("mime:cut"));
}

std::set<std::string> CompositionOf(const std::string& message) {
  Options options = NoTokens();
  options.composition = options.body_words = true;
  std::set<std::string> tokens;
  for (const std::string& token : TokenTexts(message, options)) {
    if (token.starts_with("composition:")) tokens.insert(token);
  }
  return tokens;
}

TEST(BodyTokens, Composition) {
  const std::string head = "Content-Type: multipart/mixed; boundary=b\n\n";
  const std::string html = "--b\nContent-Type: text/html\n\n";
  const std::string image = "--b\nContent-Type: image/png\n\nPNG\n";
  const std::string link = "<a href='http://a.example/'><img src='cid:1'></a>\n";
  EXPECT_THAT(CompositionOf(head + html + link + image),
              IsSupersetOf({"composition:words:0", "composition:html", "composition:no-text-but-images",
                            "composition:images:2"}));
  EXPECT_THAT(CompositionOf(head + "--b\nContent-Type: application/pdf\n\nPDF\n"),
              IsSupersetOf({"composition:no-text-but-files"}));
  const std::string words = "one two three four five six seven eight nine ten eleven twelve\n";
  const std::string plain = "--b\n\n" + words;
  EXPECT_THAT(CompositionOf(head + plain + html + words),
              AllOf(IsSupersetOf({"composition:words:16", "composition:html-and-plain",
                                  "composition:alternatives:alike"}),
                    Not(Contains(StartsWith("composition:no-text")))));
  EXPECT_THAT(CompositionOf(head + plain + html + "see"),
              IsSupersetOf({"composition:alternatives:plain-longer"}));
}

// With only one family switched on, all tokens have prefixes of this family.
TEST(BodyTokens, FamiliesCanBeSwitched) {
  struct Family {
    bool Options::*option;
    std::vector<std::string> prefixes;
  };
  const std::vector<Family> families = {
      {&Options::body_words, {"body:", "mime:", "shape:", "hidden:"}},
      {&Options::html_structure, {"html:"}},
      {&Options::urls, {"url:"}},
      {&Options::attachments, {"attachment:"}},
  };
  for (const Family& family : families) {
    Options options = NoTokens();
    options.*family.option = true;
    for (const std::string& token : TokenTexts(kMixed, options)) {
      EXPECT_TRUE(std::any_of(family.prefixes.begin(), family.prefixes.end(), [&](const std::string& prefix) {
        return token.starts_with(prefix);
      })) << token;
    }
  }
  EXPECT_TRUE(TokenTexts(kMixed, NoTokens()).empty());
}

TEST(BodyTokens, HtmlThatCallsItselfPlain) {
  EXPECT_THAT(TokenTexts("Subject: x\n\n<HTML><p>free<b>dom</b></p></HTML>\n", WithoutNgrams()),
              IsSupersetOf({"body:freedom", "html:tag:p", "body:html", "body:dom", "composition:html"}));
  for (const char* start : {"<!-- a -->\n<html>", "<!--><!-- <body> -->\n <!DOCTYPE html>", "\uFEFF<html>",
                            "<?xml version='1.0'?>\n<html>"}) {
    EXPECT_THAT(
        TokenTexts("Content-Type: text/plain; charset=utf-8\n\n" + std::string(start) + "<p>free<b>dom</b>",
                   WithoutNgrams()),
        IsSupersetOf({"body:freedom", "html:tag:p", "body:dom"}))
        << start;
  }
  for (const char* start : {"<!-- <html>", "<!-- a -->b<html>", "<?", "< html>"})
    EXPECT_THAT(TokenTexts("Subject: x\n\n" + std::string(start) + "<p>free<b>dom</b>", WithoutNgrams()),
                Not(Contains("html:tag:p")))
        << start;
  EXPECT_THAT(TokenTexts("Content-Type: text/plain\n\n<html><!--\nbuy http://a.example\n", WithoutNgrams()),
              IsSupersetOf({"body:buy", "url:host:a.example"}))
      << "programs that show it as plain text show this";
  EXPECT_THAT(TokenTexts("Content-Type: text/html\n\n<html><p>free<b>dom</b></p></html>\n", WithoutNgrams()),
              Not(Contains("body:html")));
}

TEST(BodyTokens, AByteOrderMarkIsNoDisguise) {
  const std::set<std::string> tokens =
      TokenTexts("Content-Type: text/plain; charset=utf-8\n\n\xEF\xBB\xBF<html><b>caf\u00E9</b>", {});
  EXPECT_THAT(tokens, IsSupersetOf({"html:tag:b", "body:caf\u00E9"}));
  EXPECT_THAT(tokens, Not(Contains(StartsWith("disguise:"))));
}

TEST(BodyTokens, Document) {
  EXPECT_THAT(TokenTexts("Subject: see http://a.example/x\n", WithoutNgrams(), Kind::kDocument),
              AllOf(IsSupersetOf({"body:subject", "url:host:a.example"}),
                    Not(Contains(StartsWith("subject:"))), Not(Contains(StartsWith("header:")))));
}

}  // namespace
}  // namespace thresher::tokenizer
