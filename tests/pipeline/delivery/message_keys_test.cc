// Keys of messages as a user meets them: forged ones, rewritten messages, odd Message-IDs.
#include <gmock/gmock.h>

#include <cstring>
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/delivery/teach_fixture.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Lanes = std::array<uint64_t, 8>;
constexpr size_t kStripe = 64;
constexpr size_t kBody = 12 * kStripe;  // one block: lanes are sums over its stripes

uint64_t Word(const void* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

uint64_t SecretWord(size_t stripe, size_t lane) { return Word(XXH3_kSecret + 8 * stripe + 8 * lane); }

// What the stripes of a text, which begins at stripe `first`, add to the lanes of XXH3.
Lanes Sums(std::string_view text, size_t first) {
  Lanes sums{};
  for (size_t at = 0; at + kStripe <= text.size(); at += kStripe) {
    for (size_t lane = 0; lane < 8; ++lane) {
      const uint64_t data = Word(text.data() + at + 8 * lane);
      const uint64_t mixed = data ^ SecretWord(first + at / kStripe, lane);
      sums[lane ^ 1] += data;
      sums[lane] += (mixed & 0xFFFFFFFF) * (mixed >> 32);
    }
  }
  return sums;
}

// `text` after two stripes that give it the same XXH3 as `body`, of the same length. The last stripe is equal
// in both. It is this easy: the low half of a word, or its high half, adds to one lane what one likes.
std::string Forged(const std::string& body, const std::string& text) {
  Lanes missing = Sums(body.substr(0, kBody - 1), 0);
  const Lanes there = Sums(std::string_view(text).substr(0, text.size() - 1), 2);
  for (size_t lane = 0; lane < 8; ++lane) missing[lane] -= there[lane];
  std::string stripes(2 * kStripe, '\0');
  for (size_t lane = 0; lane < 8; ++lane) {
    const uint64_t low_secret = SecretWord(0, lane);
    const uint64_t high_secret = SecretWord(1, lane);
    const uint64_t need = missing[lane ^ 1];
    // One word with the secret's high half, one with the secret's low half: neither has a product.
    const uint64_t low =
        (low_secret & ~uint64_t{0xFFFFFFFF}) | ((need - (high_secret & 0xFFFFFFFF)) & 0xFFFFFFFF);
    const uint64_t high = need - low;
    std::memcpy(stripes.data() + 8 * lane, &low, sizeof low);
    std::memcpy(stripes.data() + kStripe + 8 * lane, &high, sizeof high);
  }
  return stripes + text;
}

std::string Padded(std::string text, size_t size) {
  text.resize(size - kStripe, '.');
  return text + std::string(kStripe, '-');
}

std::string HamBody() {
  std::string body;
  for (int i = 0; i < 30; ++i) body += "The minutes of the meeting " + std::to_string(i) + " are here. ";
  return Padded(body, kBody);
}

std::string With(const std::string& from, const std::string& body) {
  return "Message-ID: <one@list.example>\nFrom: " + from + "\nDate: today\nSubject: minutes\n\n" + body;
}

// Spams with the unkeyed digest of HamBody.
std::vector<std::string> ForgedSpams(size_t count) {
  std::vector<std::string> spams;
  for (int i = 0; spams.size() < count; ++i) {
    std::string text;
    for (int k = 0; k < 12; ++k) text += fmt::format("Buy pills{} now at shop{}.example! ", i * 31 + k, i);
    const std::string body = Forged(HamBody(), Padded(text, kBody - 2 * kStripe));
    if (body.find_first_of("\r\n") != std::string::npos) continue;  // would be normalised
    spams.push_back(With("pills" + std::to_string(i), body));
  }
  return spams;
}

class MessageKeysTest : public TeachTest {
 protected:
  std::string HeaderKey(const std::string& filtered) const {
    const size_t at = filtered.find(" key=") + 5;
    return filtered.substr(at, filtered.find(',', at) - at);
  }
  // Teaches `message` as ham under the key that releases up to 0.1.0 gave it.
  void TeachAsOlderReleases(const std::string& message) const {
    Settings settings;
    settings.store_path = directory_ / "store";
    const auto model = OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings));
    ASSERT_TRUE(model.has_value()) << model.error().message;
    tokenizer::Features features;
    (*model)->identity().MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
    const auto key = *(*model)->identity().MakeKeyMaker().KeysOf(message).unkeyed;
    ASSERT_TRUE((*model)->Learn(features, key, {Label::kHam, Evidence::kArchive}).has_value());
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }
};

TEST_F(MessageKeysTest, ForgedOnesAreEasyWithoutASecret) {
  const tokenizer::KeyMaker unkeyed("", {});
  for (const std::string& spam : ForgedSpams(3))
    EXPECT_EQ(unkeyed.KeysOf(spam).own, unkeyed.KeysOf(With("ann", HamBody())).own);
}

TEST_F(MessageKeysTest, SpamsWithOneUnkeyedDigestAreAllLearned) {
  const std::vector<std::string> spams = ForgedSpams(60);
  for (size_t i = 0; i < spams.size(); ++i) directory_.Write("spam/" + std::to_string(i), spams[i]);
  EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "spam"}).out,
              StartsWith("spam: 60 learned, 0 corrected, 0 known already\n"));
}

// "Ham" for the list mail must not teach a spam as ham, nor the spam's report correct the ham.
TEST_F(MessageKeysTest, AForgeryTakesNoPlaceInTheSpool) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  const std::string real = Thresher({"filter"}, With("ann", HamBody())).out;
  const std::string forged = Thresher({"filter"}, ForgedSpams(1).front()).out;
  EXPECT_NE(HeaderKey(real), HeaderKey(forged));
  EXPECT_EQ(HeaderKey(real).size(), 32U);
  EXPECT_EQ(Thresher({"feedback", "--ham", "--id", "one@list.example"}).exit_code, 65) << "which one?";
  const auto feedback = [&](const char* label, const std::string& filtered) {
    return Thresher({"feedback", label, "--id", "one@list.example", "--key", HeaderKey(filtered)}).out;
  };
  EXPECT_THAT(feedback("--ham", real), HasSubstr("learned as ham"));
  EXPECT_THAT(feedback("--spam", forged), HasSubstr("learned as spam"));
  EXPECT_EQ(Labels(), "hhs");
}

TEST_F(MessageKeysTest, AForgeryOfAMessageThatAnOlderReleaseLearnedIsAnotherMessage) {
  TeachAsOlderReleases(With("ann", HamBody()));
  EXPECT_THAT(Thresher({"learn", "--ham"}, With("ann", HamBody())).out, HasSubstr("1 known already"));
  const std::string spam = ForgedSpams(1).front();
  EXPECT_EQ(Thresher({"forget"}, spam).exit_code, 66);
  EXPECT_THAT(Thresher({"learn", "--spam"}, spam).out, StartsWith("spam: 1 learned, 0 corrected, 0 known"));
  EXPECT_THAT(Thresher({"learn", "--spam"}, With("ann", HamBody())).out, HasSubstr("1 corrected"));
  EXPECT_EQ(Thresher({"forget"}, With("ann", HamBody())).exit_code, 0);
}

TEST_F(MessageKeysTest, AMessageThatAListRewroteIsFoundByItsHeader) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  std::string filtered = Thresher({"filter"}, SpamMessage(7)).out;
  const std::string key = HeaderKey(filtered);
  const auto replace = [&](const std::string& from, const std::string& to) {
    filtered.replace(filtered.find(from), from.size(), to);
  };
  replace("Cheap Pills <offer7@pills.example>", "Cheap Pills via list <list@lists.example>");
  replace("Buy cheap pills now 7", "Buy cheap pills now, all of you");
  EXPECT_THAT(Thresher({"learn", "--spam"}, filtered).out, HasSubstr("1 learned"));
  EXPECT_THAT(Thresher({"feedback", "--spam", "--id", "spam7@pills.example", "--key", key}).out,
              HasSubstr("known already"));
  EXPECT_THAT(Thresher({"learn", "--spam"}, SpamMessage(7)).out, HasSubstr("1 known already"));
  EXPECT_THAT(Thresher({"learn", "--ham"}, filtered).out, HasSubstr("1 corrected"));
}

TEST_F(MessageKeysTest, TheSameMessageWithOtherHeadersIsLearnedOnceMore) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  EXPECT_THAT(
      Thresher({"learn", "--spam"}, "Return-Path: <x@pills.example>\nStatus: RO\n" + SpamMessage(1)).out,
      HasSubstr("1 known already\n"));
  std::string other;
  for (int i = 0; i < 60; ++i) other += fmt::format("X-Word-{}: prize{} winner{}\n", i, i * 7, i * 11);
  EXPECT_THAT(Thresher({"learn", "--spam"}, other + SpamMessage(1)).out,
              StartsWith("spam: 0 learned, 0 corrected, 0 known already, 1 known with other headers, learned "
                         "again\n"));
  EXPECT_THAT(Thresher({"learn", "--spam"}, other + SpamMessage(1)).out, HasSubstr("1 known already\n"));
  EXPECT_EQ(Labels(), "ss");
}

// As a message that came from its sender and by a list.
TEST_F(MessageKeysTest, CopiesWithOtherHeadersAreLearnedUntilAllAreKnown) {
  std::string direct;
  std::string by_list;
  for (int i = 0; i < 60; ++i) direct += fmt::format("X-Hop-{}: relay{} host{}\n", i, i * 5, i * 13);
  for (int i = 0; i < 90; ++i) by_list += fmt::format("X-Word-{}: prize{} winner{}\n", i, i * 7, i * 11);
  directory_.Write("copies/1", direct + SpamMessage(1));
  directory_.Write("copies/2", by_list + SpamMessage(1));
  EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "copies"}).out,
              StartsWith("spam: 1 learned, 0 corrected, 0 known already, 1 known with other headers"));
  for (int run = 0; run < 2; ++run)
    EXPECT_THAT(Thresher({"learn", "--spam", directory_ / "copies"}).out, HasSubstr(" 2 known already\n"));
  EXPECT_EQ(Labels(), "ss");
  EXPECT_THAT(Thresher({"learn", "--ham", directory_ / "copies/1"}).out, HasSubstr("1 corrected"));
}

TEST_F(MessageKeysTest, MessagesWithoutMessageIdAndWithEqualBodiesDiffer) {
  const std::string body = "\nThe same body.\n";
  Thresher({"learn", "--ham"}, "From: ann\nDate: 1\n" + body);
  for (const char* head : {"From: bob\nDate: 1\n", "From: ann\nDate: 2\n"})
    EXPECT_THAT(Thresher({"learn", "--ham"}, head + body).out, HasSubstr("1 learned")) << head;
  const std::string filtered = Thresher({"filter"}, "From: eve\nDate: 1\n" + body).out;
  EXPECT_THAT(Thresher({"feedback", "--spam", "--id", "<>", "--key", HeaderKey(filtered)}).out,
              HasSubstr("learned as spam"));
}

TEST_F(MessageKeysTest, LongAndBrokenMessageIdsCanBeGiven) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  const std::string of_300(300, 'x');
  for (const std::string& id : {of_300, std::string("with spaces @ pills.example")}) {
    for (const bool in_list : {false, true}) {
      const std::string message =
          "From: " + std::to_string(in_list) + "\nMessage-ID: <" + id + ">\n\nPills!\n";
      const std::string key = HeaderKey(Thresher({"filter"}, message).out);
      const Ran ran = in_list ? Thresher({"feedback", "--list", "-"}, "spam <" + id + "> " + key + "\n")
                              : Thresher({"feedback", "--spam", "--id", "<" + id + ">", "--key", key});
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_THAT(ran.out, HasSubstr(in_list ? "1 learned" : "learned as spam"));
    }
  }
}

TEST_F(MessageKeysTest, DamageInTheSpoolIsSaid) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"filter"}, SpamMessage(7));
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "store/default/spool")) {
    if (!entry.path().filename().native().starts_with('.')) file = entry.path();
  }
  std::string bytes = ReadBytes(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  directory_.Write("store/default/spool/" + file.filename().string(), bytes);
  const Ran ran = Thresher({"feedback", "--spam", "--id", "spam7@pills.example"});
  EXPECT_EQ(ran.exit_code, 65);
  EXPECT_THAT(ran.err, HasSubstr("is damaged: it does not match its checksum; teach the message itself with "
                                 "`thresher learn`"));
  EXPECT_EQ(Labels(), "h");
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
  EXPECT_THAT(Thresher({"learn", "--spam"}, SpamMessage(7)).out, HasSubstr("1 learned"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace thresher::pipeline
