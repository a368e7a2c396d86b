#include "pipeline/generate/generate.h"

#include <gmock/gmock.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <set>

#include "pipeline/generate/part.h"
#include "pipeline/generate/transport.h"
#include "tests/pipeline/generate/simple_mail.h"

namespace thresher::pipeline {
namespace {

std::vector<SyntheticMessage> FirstOf(uint64_t seed, size_t count, double spam_fraction = 0.5) {
  MailGenerator generator(seed, spam_fraction);
  std::vector<SyntheticMessage> messages(count);
  for (SyntheticMessage& message : messages) message = generator.Next();
  return messages;
}

uint64_t DigestOf(const std::vector<SyntheticMessage>& messages) {
  std::string all;
  for (const SyntheticMessage& message : messages) all += (message.spam ? "spam " : "ham ") + message.bytes;
  return XXH3_64bits(all.data(), all.size());
}

// The words of the plain texts and their counts.
std::map<std::string, double> WordShares(const std::vector<const SyntheticMessage*>& messages, bool spam) {
  std::map<std::string, double> shares;
  double words = 0;
  for (const SyntheticMessage* message : messages) {
    if (message->spam != spam) continue;
    for (const SimplePart& part : ReadSimpleMail(message->bytes).parts) {
      if (part.type != "text/plain") continue;
      std::string word;
      for (const char c : part.content + " ") {
        if (c >= 'a' && c <= 'z') {
          word += c;
        } else if (!word.empty()) {
          ++shares[word];
          ++words;
          word.clear();
        }
      }
    }
  }
  for (auto& [word, share] : shares) share /= words;
  return shares;
}

// Half the L1 distance: 0 for equal distributions, 1 for disjoint ones.
double Distance(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double common = 0;
  for (const auto& [word, share] : a) {
    const auto other = b.find(word);
    if (other != b.end()) common += std::min(share, other->second);
  }
  return 1 - common;
}

// Fixed: a change of these bytes changes every figure measured on them.
TEST(MailGenerator, WritesTheSameBytesEverywhere) {
  EXPECT_EQ(DigestOf(FirstOf(1, 200)), 7892830141474133691U);
}

TEST(MailGenerator, RepeatsItselfForASeedAndOnlyForIt) {
  std::set<uint64_t> digests;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const uint64_t digest = DigestOf(FirstOf(seed, 30));
    EXPECT_EQ(digest, DigestOf(FirstOf(seed, 30)));
    digests.insert(digest);
  }
  EXPECT_EQ(digests.size(), 20U);
}

TEST(MailGenerator, DoesNotRepeatAMessage) {
  std::set<std::string> bodies;
  const std::vector<SyntheticMessage> messages = FirstOf(2, 2000);
  for (const SyntheticMessage& message : messages) bodies.insert(message.bytes);
  EXPECT_EQ(bodies.size(), messages.size());
}

TEST(MailGenerator, KeepsToTheSpamFraction) {
  for (const double fraction : {0.0, 0.2, 0.5, 1.0}) {
    const std::vector<SyntheticMessage> messages = FirstOf(3, 2000, fraction);
    const auto spam = std::count_if(messages.begin(), messages.end(), [](const auto& m) { return m.spam; });
    EXPECT_NEAR(double(spam) / 2000, fraction, 4 * std::sqrt(fraction * (1 - fraction) / 2000));
  }
}

TEST(MailGenerator, WritesLinesAndSizesThatMailAllows) {
  std::vector<size_t> sizes;
  for (const SyntheticMessage& message : FirstOf(4, 3000)) {
    sizes.push_back(message.bytes.size());
    ASSERT_EQ(message.bytes.find_first_of(std::string_view("\r\0", 2)), std::string::npos);
    ASSERT_TRUE(message.bytes.ends_with('\n'));
    size_t start = 0;
    for (size_t end = message.bytes.find('\n'); end != std::string::npos;
         end = message.bytes.find('\n', start)) {
      ASSERT_LE(end - start, 998U);
      start = end + 1;
    }
  }
  std::sort(sizes.begin(), sizes.end());
  EXPECT_GT(sizes.front(), 300U);
  EXPECT_LT(sizes.back(), 16000U);
  EXPECT_GT(sizes[sizes.size() / 2], 1000U);
  EXPECT_GT(sizes[sizes.size() * 9 / 10], 2000U);
}

TEST(MailGenerator, WritesWellFormedMime) {
  std::map<std::string, int> types;
  for (const SyntheticMessage& message : FirstOf(5, 3000)) {
    const SimpleMail mail = ReadSimpleMail(message.bytes);
    ASSERT_EQ(mail.error, "") << message.bytes;
    ASSERT_FALSE(mail.parts.empty());
    for (const char* const name : {"From", "To", "Date", "Message-ID", "MIME-Version", "Received"}) {
      ASSERT_NE(HeaderOf(mail.head, name), "") << message.bytes;
    }
    for (const SimplePart& part : mail.parts) ++types[part.type];
  }
  for (const char* const type : {"text/plain", "text/html", "text/calendar", "image/gif", "image/jpeg",
                                 "application/pdf", "application/zip"}) {
    EXPECT_GT(types[type], 5) << type;
  }
}

TEST(MailGenerator, WritesTextThatDecodesInItsCharset) {
  std::set<std::string> charsets;
  std::string decoded;
  for (const SyntheticMessage& message : FirstOf(6, 4000)) {
    const SimpleMail mail = ReadSimpleMail(message.bytes);
    for (const SimplePart& part : mail.parts) {
      if (!part.type.starts_with("text/")) continue;
      ASSERT_TRUE(DecodeStrictly(part.content, part.charset, decoded)) << message.bytes;
      charsets.insert(part.charset);
    }
    ASSERT_TRUE(DecodeHeaderStrictly(HeaderOf(mail.head, "Subject"), decoded)) << message.bytes;
    ASSERT_TRUE(DecodeHeaderStrictly(HeaderOf(mail.head, "From"), decoded)) << message.bytes;
  }
  EXPECT_THAT(charsets, testing::UnorderedElementsAre("us-ascii", "utf-8", "iso-8859-1", "windows-1252",
                                                      "koi8-r", "gb2312", "iso-2022-jp", "shift_jis"));
  for (const char* const text : {"Grüße", "Björn", "fête", "Mañana", "Спасибо", "谢谢", "ありがとう"}) {
    EXPECT_NE(decoded.find(text), std::string::npos) << text;
  }
}

// The text after each occurrence of `mark`, up to the first of `ends`.
std::vector<std::string> AllAfter(std::string_view text, std::string_view mark, std::string_view ends) {
  std::vector<std::string> found;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const std::string_view rest = text.substr(at + mark.size());
    found.emplace_back(rest.substr(0, rest.find_first_of(ends)));
  }
  return found;
}

// All sequences of digits and dots in the form of an IPv4 address.
std::vector<std::string> AddressesIn(std::string_view text) {
  std::vector<std::string> found;
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    const std::string_view run = text.substr(at, end - at);
    if (std::count(run.begin(), run.end(), '.') == 3) found.emplace_back(run);
    at = text.find_first_of("0123456789", end);
  }
  return found;
}

bool IsReservedAddress(std::string_view address) {
  return address.starts_with("192.0.2.") || address.starts_with("198.51.100.") ||
         address.starts_with("203.0.113.") || address == "127.0.0.1";
}

bool IsReservedHost(std::string_view host) {
  for (const std::string_view domain : {"example", "example.com", "example.net", "example.org"}) {
    if (host == domain || host.ends_with("." + std::string(domain))) return true;
  }
  return false;
}

TEST(MailGenerator, PointsAtNobody) {
  size_t links = 0;
  size_t addresses = 0;
  for (const SyntheticMessage& message : FirstOf(7, 2000)) {
    const SimpleMail mail = ReadSimpleMail(message.bytes);
    std::string text = mail.head;
    for (const SimplePart& part : mail.parts) {
      if (part.type.starts_with("text/")) text += part.content;
    }
    // The version of a mail program may look like an address.
    const std::string mailer = HeaderOf(mail.head, "X-Mailer");
    if (!mailer.empty()) text.erase(text.find(mailer), mailer.size());
    for (const std::string& address : AddressesIn(text)) {
      ASSERT_TRUE(IsReservedAddress(address)) << address;
      ++addresses;
    }
    for (std::string authority : AllAfter(text, "//", "/?\" \n<>")) {
      authority.erase(0, authority.find('@') + 1);
      const std::string host = authority.substr(0, authority.find(':'));
      ASSERT_TRUE(IsReservedHost(host) || IsReservedAddress(host)) << authority;
      ++links;
    }
    const std::string from = HeaderOf(mail.head, "From");
    ASSERT_TRUE(IsReservedHost(AllAfter(from, "@", ">").back())) << from;
  }
  EXPECT_GT(links, 2000U);
  EXPECT_GT(addresses, 2000U);
}

// The first and the last quarter differ more than two quarters with messages from the whole stream.
TEST(MailGenerator, DriftsInBothClasses) {
  const size_t count = 2000;
  const std::vector<SyntheticMessage> messages = FirstOf(8, count);
  std::vector<const SyntheticMessage*> first;
  std::vector<const SyntheticMessage*> last;
  std::vector<const SyntheticMessage*> even;
  std::vector<const SyntheticMessage*> odd;
  for (size_t i = 0; i < count / 4; ++i) {
    first.push_back(&messages[i]);
    last.push_back(&messages[count - 1 - i]);
    for (const SyntheticMessage* message : {first.back(), last.back()})
      (i % 2 == 0 ? even : odd).push_back(message);
  }
  for (const bool spam : {false, true}) {
    const double apart = Distance(WordShares(first, spam), WordShares(last, spam));
    const double by_chance = Distance(WordShares(even, spam), WordShares(odd, spam));
    EXPECT_GT(apart, 1.5 * by_chance) << (spam ? "spam" : "ham");
  }
}

TEST(MailDate, KnowsCalendarAndZones) {
  EXPECT_EQ(synthetic::MailDate(0, 0), "Thu, 01 Jan 1970 00:00:00 +0000");
  EXPECT_EQ(synthetic::MailDate(1709164799, 0), "Wed, 28 Feb 2024 23:59:59 +0000");
  EXPECT_EQ(synthetic::MailDate(1709164800, 60), "Thu, 29 Feb 2024 01:00:00 +0100");
  EXPECT_EQ(synthetic::MailDate(1704067200, -300), "Sun, 31 Dec 2023 19:00:00 -0500");
  EXPECT_EQ(synthetic::MailDate(1704067200, 330), "Mon, 01 Jan 2024 05:30:00 +0530");
}

TEST(AppendPart, EncodesAnyBytesInShortLines) {
  synthetic::Random random(9);
  for (int round = 0; round < 300; ++round) {
    synthetic::Part part = {.type = "application/octet-stream"};
    part.transfer = round % 2 == 0 ? synthetic::Transfer::kBase64 : synthetic::Transfer::kQuotedPrintable;
    for (size_t left = random.Below(400); left > 0; --left) {
      part.content +=
          random.Chance(0.2) ? random.Pick(std::string_view(" =\n")) : static_cast<char>(random.Below(256));
    }
    part.content += '.';  // an encoder may add a line end at the very end
    std::string out;
    synthetic::AppendPart(part, random, out);
    size_t longest = 0;
    for (size_t start = 0; start < out.size(); start = out.find('\n', start) + 1) {
      longest = std::max(longest, out.find('\n', start) - start);
    }
    EXPECT_LE(longest, 76U);
    const SimpleMail mail = ReadSimpleMail(out);
    ASSERT_EQ(mail.parts.size(), 1U) << mail.error;
    std::string content = mail.parts[0].content;
    if (content.ends_with('\n')) content.pop_back();
    EXPECT_EQ(content, part.content);
  }
}

}  // namespace
}  // namespace thresher::pipeline
