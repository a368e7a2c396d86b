// Tokens of users beside the shared tokens.
#include "tokenizer/user.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/feature_kind.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_key.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {
namespace {

TEST(User, Names) {
  for (const char* name : {"alice", "bob@example.com", "a:b", "Zoë", "."}) EXPECT_TRUE(IsUserName(name));
  EXPECT_TRUE(IsUserName(std::string(kMaxUserName, 'x')));
  EXPECT_FALSE(IsUserName(std::string(kMaxUserName + 1, 'x')));
  for (const char* name : {"", "a/b", "a b", "a\n", "\x7f"}) EXPECT_FALSE(IsUserName(name)) << name;
}

TEST(User, KeysAreTheirOwn) {
  const std::string message = "Message-ID: <x@y>\n\nbody";
  const KeyMaker keys(std::string(KeyMaker::kSecretBytes, 's'), {});
  const auto key_of = [&](const std::string& text, const std::string& user) {
    return keys.KeysOf(text, user).own;
  };
  EXPECT_EQ(key_of(message, "alice").digest, key_of(message, "").digest);
  EXPECT_EQ(key_of(message, "alice").message_id, MessageIdOf("alice", "x@y"));
  EXPECT_NE(key_of(message, "alice"), key_of(message, "bob"));
  EXPECT_FALSE(key_of("Message-ID: <alice x@y>\n\nbody", "") == key_of(message, "alice"));
}

// First come the message's features, unchanged, and then each of its tokens as the user's.
void ExpectEachTokenTwice(const Features& plain, const Features& personal, const std::string& prefix) {
  const IdSpace ids(1);
  ASSERT_GE(personal.size(), plain.size());
  size_t next = plain.size();
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(personal.ids[i], plain.ids[i]);
    EXPECT_EQ(personal.Text(i), plain.Text(i));
    EXPECT_EQ(personal.values[i], plain.values[i]);
    if (IdSpace::IsNgram(plain.ids[i])) continue;
    ASSERT_LT(next, personal.size());
    EXPECT_EQ(personal.Text(next), prefix + std::string(plain.Text(i)));
    EXPECT_EQ(personal.ids[next], ids.Token(personal.Text(next)));
    EXPECT_EQ(personal.values[next], plain.values[i]);
    ++next;
  }
  EXPECT_EQ(next, personal.size());
  EXPECT_EQ(personal.truncated, plain.truncated);
}

TEST(User, HasEachTokenOnceMore) {
  Options options;
  options.values = ValueScheme::kLogCount;
  Tokenizer tokenizer(options, 1);
  Features plain;
  Features personal;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const std::string message = HostileText(seed).Message(30);
    tokenizer.Tokenize(message, Kind::kMail, &plain);
    tokenizer.Tokenize(message, Kind::kMail, &personal, "alice");
    ASSERT_NO_FATAL_FAILURE(ExpectEachTokenTwice(plain, personal, "user:alice/")) << seed << message;
    EXPECT_EQ(std::set(personal.ids.begin(), personal.ids.end()).size(), personal.size());
  }
}

TEST(User, TokensAreOfTheSameKinds) {
  Tokenizer tokenizer(Options(), 1);
  Features features;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    tokenizer.Tokenize(HostileText(seed).Message(30), Kind::kMail, &features, "alice");
    std::map<FeatureKind, std::set<float>> values;
    for (size_t i = 0; i < features.size(); ++i)
      values[KindOfFeature(features.ids[i], features.Text(i))].insert(features.values[i]);
    for (const auto& [kind, of_kind] : values) EXPECT_EQ(of_kind.size(), 1U) << seed;
  }
}

TEST(User, CountsTowardsNoLimit) {
  Options few;
  few.tokens = 100;
  Features features;
  Tokenizer(few, 1).Tokenize(HostileText(1).Message(3000), Kind::kDocument, &features, "alice");
  const auto ngrams =
      static_cast<size_t>(std::count_if(features.ids.begin(), features.ids.end(), &IdSpace::IsNgram));
  EXPECT_EQ(features.size(), 100 + (100 - ngrams));
}

TEST(User, AndMessageIdComeApartAgain) {
  for (const std::string user : {"", "alice"}) {
    for (const std::string id : {"", "a@b"}) {
      const std::string joined = MessageIdOf(user, id);
      EXPECT_EQ(UserAndMessageId(joined).user, user);
      EXPECT_EQ(UserAndMessageId(joined).message_id, id);
    }
  }
}

}  // namespace
}  // namespace thresher::tokenizer
