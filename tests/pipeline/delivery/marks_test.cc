// What thresher writes into a message is no part of the message: features and key stay the same.
#include "pipeline/delivery/marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/pipeline/messages.h"
#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/message_key.h"
#include "tokenizer/thresher_headers.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tokenizer::OwnMarks;

Judged Spam() {
  return {.verdict = Verdict::kSpam,
          .score = {.margin = 3.5, .probability = 0.99},
          .thresholds = {},
          .taught = {},
          .contradictions = {},
          .key = {"id", "0123456789abcdef0123456789abcdef"}};
}

const std::vector<OwnMarks>& AllKinds() {
  static const std::vector<OwnMarks> kKinds = {
      {},
      {"X-Verdict", false, ""},
      {"X-Thresher", true, ""},
      {"X-Thresher", false, "[SPAM]"},
      {"X-Spam-Verdict", true, "Spam:"},
  };
  return kKinds;
}

std::string AsMarked(const std::string& message, const OwnMarks& own) {
  return Marked(message, MarksOf(Spam(), own), own);
}

// Fails the test unless the marked message is the message, to tokenizer and keys.
void ExpectTheSame(const std::string& message, const OwnMarks& own) {
  // A model that ignores no headers: what thresher wrote is not hidden by that.
  const tokenizer::Options options{.ignore_headers = {}, .marks = own};
  tokenizer::Tokenizer tokenizer(options, 1);
  const tokenizer::KeyMaker keys(std::string(tokenizer::KeyMaker::kSecretBytes, 's'), own);
  const std::string marked = AsMarked(message, own);
  tokenizer::Features before;
  tokenizer::Features after;
  tokenizer.Tokenize(message, tokenizer::Kind::kMail, &before);
  tokenizer.Tokenize(marked, tokenizer::Kind::kMail, &after);
  EXPECT_EQ(before.ids, after.ids) << testing::PrintToString(message) << testing::PrintToString(marked);
  EXPECT_EQ(before.values, after.values);
  EXPECT_EQ(before.texts, after.texts);
  EXPECT_EQ(keys.KeysOf(message).own, keys.KeysOf(marked).own) << testing::PrintToString(message);
  EXPECT_EQ(AsMarked(marked, own), marked) << testing::PrintToString(message);
}

TEST(Marks, AreNoPartOfAMessage) {
  const std::vector<std::string> messages = {
      SpamMessage(1),
      HamMessage(2),
      "From a@b Mon Jan  2 15:04:05 2006\nA: b\n\nc\n",
      "Subject: x\r\nX-Thresher: old\r\n\r\nbody",
      "Subject: x\n\tfolded\nTo: y\n\nbody",
      "Subject:\n\tfolded\nTo: y\n\nbody",
      "Subject:\r\n\tfolded\r\n\r\nbody",
      "Subject:",
      "Subject: [SPAM] x\nSubject: Spam: y\n\nbody",
      "Subject: [SPAM]\n\nbody",
      "X-Verdict: Ham\nX-Spam-Flag: NO\n folded\nSubject: x\n\n",
      " cont\nFrom: a\nSubject: b\n\nbody",
      "\nSubject: body",
      "",
  };
  for (const OwnMarks& own : AllKinds()) {
    for (const std::string& message : messages) ExpectTheSame(message, own);
  }
}

TEST(Marks, AreNoPartOfAHostileMessage) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    std::string message = tokenizer::HostileText(seed).Message(20);
    if (seed % 2 == 0) message.insert(0, "Subject: [SPAM] a\rX-Verdict: b\n");
    ExpectTheSame(message, AllKinds()[seed % AllKinds().size()]);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(Marks, OfANameAreThoseOfThatNameOnly) {
  const OwnMarks own{.header = "X-Verdict", .spam_headers = true, .subject_tag = {}};
  const auto without = [&](std::string message) {
    tokenizer::RemoveThresherHeaders(&message, own);
    return message;
  };
  for (const char* gone : {"X-Verdict: a\n", "x-verdict : a\n", "X-Verdict\n : a\n", "X-Spam-Flag: a\n b\n",
                           "X-Thresher-Note: a\n", "X-Ver\rdict: a\n", "X-Spam-Status\r: a\n"})
    EXPECT_EQ(without(std::string("A: b\n") + gone + "C: d\n\n"), "A: b\nC: d\n\n") << gone;
  EXPECT_EQ(without("A: b\rX-Verdict: a\rX-Spam-Flag: a\rC: d\n\n"), "A: b\rC: d\n\n");
  for (const char* kept : {"X-Verdict-Other: a\n", "X-Verdicts: a\n", "X-Spam-Flags: a\n",
                           "X-Spam-Level: *\n", "Y-Verdict: a\n", "X-Ver\rdicts: a\n", "A: X-Verdict: b\n"})
    EXPECT_EQ(without(std::string("A: b\n") + kept + "C: d\n\n"), std::string("A: b\n") + kept + "C: d\n\n");
  EXPECT_EQ(without("X-Verdict: a\n\nX-Verdict: body\n"), "\nX-Verdict: body\n");
}

TEST(Marks, AreWrittenAsTheMessageEndsItsLines) {
  const OwnMarks own{.header = "X-Verdict", .spam_headers = true, .subject_tag = "[SPAM]"};
  EXPECT_EQ(AsMarked("From a\r\nX-Spam-Flag: NO\r\nSubject:  x\r\n\r\nbody\n", own).substr(0, 66),
            "From a\r\nX-Spam-Flag: YES\r\nX-Spam-Status: Yes, score=6.1 required=5");
  EXPECT_THAT(AsMarked("Subject:  x\r\n\r\nbody\n", own),
              testing::EndsWith("\r\nSubject:  [SPAM] x\r\n\r\nbody\n"));
  EXPECT_THAT(AsMarked("To: a\n\nSubject: body", own), testing::EndsWith("\nTo: a\n\nSubject: body"));
}

TEST(Marks, OfAnErrorAreOneHeader) {
  const OwnMarks own{.header = "X-Verdict", .spam_headers = true, .subject_tag = "[SPAM]"};
  const Marks error = ErrorMarks("bad\nstore", own);
  EXPECT_THAT(error.lines, StartsWith("X-Verdict: Error, bad?store, version="));
  EXPECT_EQ(error.lines.find('\n'), error.lines.size() - 1);
  EXPECT_EQ(error.tag, "");
  EXPECT_THAT(NoModelMarks("none", own).lines, HasSubstr("X-Verdict: Unsure, none, probability=0.5"));
  Judged ham = Spam();
  ham.verdict = Verdict::kUnsure;
  EXPECT_THAT(MarksOf(ham, own).lines,
              StartsWith("X-Spam-Status: No, score=4.9 required=5.0\nX-Verdict: Unsure, "));
}

}  // namespace
}  // namespace thresher::pipeline
