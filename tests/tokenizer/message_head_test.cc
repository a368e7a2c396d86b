#include "tokenizer/message_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/filtered.h"
#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/message_key.h"
#include "tokenizer/options.h"

namespace thresher::tokenizer {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> NamesOf(const MessageHead& head) {
  std::vector<std::string> names;
  for (const HeaderField& field : head.fields) names.emplace_back(field.name);
  return names;
}

std::string Joined(const MessageHead& head) {
  std::string message(head.from_line);
  for (const HeaderField& field : head.fields) message += field.bytes;
  return message.append(head.rest);
}

std::string OwnBytes(std::string_view message) {
  std::string buffer;
  std::string own;
  KeepOwnBytes(WithoutThresherHeaders(message, &buffer, {}), HeaderPatterns(Options().ignore_headers), &own);
  return own;
}

TEST(ParseHead, PlainMessage) {
  const MessageHead head = ParseHead("From: a\nSubject: b\n c\n\nbody\n");
  EXPECT_THAT(NamesOf(head), ElementsAre("From", "Subject"));
  EXPECT_EQ(head.fields[1].value, " b\n c");
  EXPECT_EQ(head.fields[1].bytes, "Subject: b\n c\n");
  EXPECT_EQ(head.rest, "\nbody\n");
  EXPECT_EQ(head.body, "body\n");
}

TEST(ParseHead, CrLfAndMixed) {
  const MessageHead head = ParseHead("A: 1\r\n\t2\r\nB : 3\n\r\nbody");
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "B"));
  EXPECT_EQ(head.fields[0].value, " 1\r\n\t2");
  EXPECT_EQ(head.fields[1].value, " 3");
  EXPECT_EQ(head.body, "body");
}

TEST(ParseHead, FromLines) {
  const MessageHead head = ParseHead("From a@b Mon\n>From c\nTo: x\n");
  EXPECT_EQ(head.from_line, "From a@b Mon\n>From c\n");
  EXPECT_THAT(NamesOf(head), ElementsAre("To"));
  EXPECT_EQ(head.rest, "");
  // A line without its end is no From line: no header could follow it.
  EXPECT_EQ(ParseHead("From a").from_line, "");
  EXPECT_EQ(ParseHead("From: a\n").from_line, "");
  EXPECT_EQ(ParseHead("From 12:30\n\n").from_line, "From 12:30\n");
}

TEST(ParseHead, BlanksMayBeBetweenFromAndItsColon) {
  for (const std::string line :
       {"From : a@b.example\n", "From \t : a@b.example\r\n", "From\t: a@b.example\n"}) {
    const std::string message = line + "To: x\n";
    const MessageHead head = ParseHead(message);
    EXPECT_EQ(head.from_line, "") << line;
    EXPECT_THAT(NamesOf(head), ElementsAre("From", "To")) << line;
  }
}

TEST(ParseHead, LineWithoutColonStandsAlone) {
  const MessageHead head = ParseHead("A: 1\njunk line\n more junk\nB: 2\n\nbody");
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "", "", "B"));
  EXPECT_EQ(head.fields[1].bytes, "junk line\n");
  EXPECT_EQ(head.fields[2].bytes, " more junk\n");
}

TEST(ParseHead, WithoutHeadersAllIsBody) {
  for (const char* text :
       {"Hello there\nhow are you: fine\n\nBye", " A: b\n\nbody", ": x\n\n", "hello", "\x01: a\n\n"}) {
    EXPECT_TRUE(ParseHead(text).fields.empty()) << text;
    EXPECT_EQ(ParseHead(text).body, text);
  }
}

TEST(ParseHead, EmptyParts) {
  EXPECT_EQ(ParseHead("").rest, "");
  EXPECT_EQ(ParseHead("\nbody").body, "body");
  EXPECT_EQ(ParseHead("\nbody").rest, "\nbody");
  EXPECT_EQ(ParseHead("A: b").fields[0].value, " b");
  EXPECT_EQ(ParseHead("A:\n\n").fields[0].value, "");
}

TEST(ParseHead, BareCrAndNulAreBytesLikeOthers) {
  const MessageHead head = ParseHead(std::string_view("A: b\rC: d\0e\nF: g\n\n", 18));
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "F"));
}

TEST(ParseHead, AnyBytesCanBePutTogetherAgain) {
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    const std::string message = HostileText(seed).Message(12);
    const MessageHead head = ParseHead(message);
    ASSERT_EQ(Joined(head), message) << seed;
    ASSERT_TRUE(head.rest.ends_with(head.body)) << seed;
    for (const HeaderField& field : head.fields) ASSERT_FALSE(field.bytes.empty()) << seed;
  }
}

TEST(ParseHead, LimitLeavesOutFieldsAndNothingElse) {
  MessageHead head;
  ParseHead("A: 1\nB: 2\nC: 3\n\nbody", 14, &head);
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "B"));
  EXPECT_TRUE(head.is_cut);
  EXPECT_EQ(head.body, "body");
  ParseHead("A: 1\nB: 2\n\nbody", 10, &head);  // reuses the memory
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "B"));
  EXPECT_FALSE(head.is_cut);
}

TEST(ParseHead, NoHeaderHidesShorterOnesOrTheType) {
  const std::string message = "A: 1\nB: " + std::string(100, 'b') + "\nC: 3\nD: 4\nContent-Type: x\n\nbody";
  MessageHead head;
  ParseHead(message, 16, &head);
  EXPECT_THAT(NamesOf(head), ElementsAre("A", "C", "D", "Content-Type"));
  EXPECT_TRUE(head.is_cut);
}

TEST(KeepOwnBytes, DropsWhatOthersAdded) {
  EXPECT_EQ(
      OwnBytes(
          "From a\nX-Spam-Status: Yes,\n\tscore=9\nTo: b\nX-Thresher: Spam\nStatus: RO\n\nX-Spam: body\n"),
      "To: b\n\nX-Spam: body\n");
}

TEST(KeepOwnBytes, KeepsTheMessagesOwnFoldedFirstLine) {
  EXPECT_EQ(OwnBytes(Filtered(" folded\nA: b\n\n")), " folded\nA: b\n\n");
}

TEST(KeepOwnBytes, DropsOurHeaderWhereAnotherProgramFoldedIt) {
  EXPECT_EQ(OwnBytes("X-Thresher: Spam,\r\n probability=1,\r\n version=0.1.0\r\nA: b\r\n\r\n"),
            "A: b\r\n\r\n");
}

TEST(KeepOwnBytes, LimitCutsWhatIsKept) {
  const HeaderPatterns ignored(Options().ignore_headers);
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::string message = HostileText(seed).Message(10);
    RemoveThresherHeaders(&message, {});
    const std::string all = OwnBytes(message);
    for (const size_t limit : {size_t{0}, size_t{7}, all.size(), all.size() + 1}) {
      std::string kept;
      ASSERT_EQ(KeepOwnBytes(message, ignored, &kept, limit), all.size() <= limit) << seed;
      ASSERT_EQ(kept, all.substr(0, limit)) << seed;
    }
  }
}

// A filtered message has the same own bytes and the same key as the original.
TEST(KeepOwnBytes, OurHeaderLeavesNoTrace) {
  const KeyMaker keys(std::string(KeyMaker::kSecretBytes, 's'), {});
  for (uint64_t seed = 0; seed < 30000; ++seed) {
    const std::string message = HostileText(seed).Message(10);
    const std::string filtered = Filtered(message);
    ASSERT_EQ(OwnBytes(filtered), OwnBytes(message)) << seed << "\n" << message;
    ASSERT_EQ(Filtered(filtered), filtered) << seed;
    ASSERT_EQ(keys.KeysOf(filtered).own, keys.KeysOf(message).own) << seed << "\n" << message;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
