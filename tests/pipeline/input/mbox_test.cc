// Where an mbox is split, and what of it is the message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pipeline/input/from_line.h"
#include "pipeline/input/line_reader.h"
#include "pipeline/input/source.h"
#include "tests/pipeline/input/read_messages.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FromLine, EndsWithADate) {
  for (const char* line : {
           "From joe@example.com Thu Aug 22 12:36:23 2002\n",
           "From joe@example.com  Thu Aug  2 12:36:23 2002\r\n",
           "From joe@example.com Thu Aug 22 12:36 2002",
           "From joe@example.com Thu Aug 22 12:36:23 CEST 2002",
           "From joe@example.com Thu Aug 22 12:36:23 +0200 2002",
           "From joe@example.com Thu Aug 22 12:36:23 2002 -0500",
           "From - Thu Aug 22 12:36:23 2002",
           "From MAILER-DAEMON Thu Aug 22 12:36:23 2002",
           "From \"joe doe\"@example.com Thu Aug 22 12:36:23 2002",
           "From joe at example.com  Thu Aug 22 12:36:23 2002",
           "From joe@example.com Thu Aug 22 12:36:23 2002 remote from example",
           "From joe Thu Aug 22 12:36:23 2002 +0200 remote from example.com",
           "From  Thu Aug 22 12:36:23 2002",
           "From Thu Aug 22 12:36:23 2002",
           "From joe@example.com 2002-08-22 12:36:23",
           "From joe@example.com 2002-08-22 12:36 +0200",
           "From joe@example.com 2002-08-22T12:36:23",
           "From joe@example.com 2002-08-22T12:36:23+02:00",
           "From joe@example.com 2002-08-22T12:36:23Z",
       }) {
    EXPECT_TRUE(IsFromLine(line)) << line;
  }
  for (const char* line : {
           "",
           "From",
           "From ",
           ">From joe@example.com Thu Aug 22 12:36:23 2002",
           "from joe@example.com Thu Aug 22 12:36:23 2002",
           "From: joe@example.com Thu Aug 22 12:36:23 2002",
           "From joe@example.com",
           "From what I hear, it is over.",
           "From joe@example.com Thu Aug 22 2002",
           "From joe@example.com Aug 22 12:36:23 2002",
           "From joe@example.com Thu Aug 22 12:36:23 02",
           "From 12:36:23 2002",
           "From joe@example.com Thu Aug 22 12:36:23 2002 remote from ",
           "From joe@example.com Thu Aug 22 12:36:23 2002 remote from two words",
           "From joe@example.com remote from example",
           "From joe@example.com 2002-08-22",
           "From joe@example.com 2002-08-22T",
           "From joe@example.com 2002-08-22T12:36:23+02:00:00",
           "From 2002-8-22 12:36:23",
           "From joe@example.com Thu Aug 22 12:36:23 2002 was the day",
       }) {
    EXPECT_FALSE(IsFromLine(line)) << line;
  }
}

TEST(FromLine, IsFollowedByAHead) {
  for (const char* line :
       {"Subject: x\n", "X-Status:", "Received : by a", ">From joe Thu Aug 22 12:36:23 2002\n"})
    EXPECT_TRUE(BeginsHead(line)) << line;
  for (const char* line : {"", "\n", "\r\n", ": x", " folded: x", "some text: x", "text", ">From here on: x",
                           ">>From joe Thu Aug 22 12:36:23 2002", "From joe Thu Aug 22 12:36:23 2002"})
    EXPECT_FALSE(BeginsHead(line)) << line;
}

TEST(Mbox, SplitsAtFromLinesOfABodyThatAHeadFollows) {
  const TestDirectory folder;
  const std::string from(kFrom);
  const std::string first = from + "Subject: a\n" + from + "To: in the head\n\nbody\n" + from + "text\n\n" +
                            from + "\n" + from + from + "From what I hear\n\nFrom here on\n";
  const std::string second = from + "Subject: b\n\n\nx\n";
  const std::string third = from + "Subject: no body\n";
  const std::string last = from + "Subject: c\n\nafter no empty line\n\n" + from;
  const std::string path = folder.Write("mbox", first + "\n" + second + "\n" + third + "\n" + second + last);
  const Messages all = ReadMessages(path);
  EXPECT_THAT(all.errors, IsEmpty());
  EXPECT_THAT(all.bytes, ElementsAre(first, second, third, second, last));
  EXPECT_THAT(all.names, ElementsAre(path + "#1", path + "#2", path + "#3", path + "#4", path + "#5"));
}

TEST(Mbox, WhatMayBeOneIsTold) {
  const TestDirectory folder;
  const std::string odd = "From joe@example.com on Thursday\nSubject: a\n\nbody\n\n";
  const std::string fine = std::string(kFrom) + "Subject: a\n\nFrom here on\n";
  for (const auto& [bytes, format, is_told] : std::vector<std::tuple<std::string, Format, bool>>{
           {odd + odd, Format::kAuto, true},
           {odd + odd, Format::kMessage, false},
           {odd, Format::kAuto, false},
           {fine, Format::kAuto, false},
           {"Subject: a\n\nFrom here on\n", Format::kAuto, false}}) {
    auto source = OpenSource(folder.Write("mail", bytes), format);
    ASSERT_TRUE(source);
    RawMessage message;
    ASSERT_TRUE((*source)->Next(&message).value());
    EXPECT_EQ(message.may_be_mbox, is_told) << bytes;
    EXPECT_EQ(message.bytes, bytes);
  }
}

TEST(Mbox, KeepsCrLf) {
  const TestDirectory folder;
  const std::string from = "From joe@example.com Thu Aug 22 12:36:23 2002\r\n";
  const std::string path =
      folder.Write("mbox", from + "A: 1\r\n\r\nx\r\n\r\n" + from + "B: 2\r\n\r\ny\r\n\r\n");
  EXPECT_THAT(ReadMessages(path).bytes, ElementsAre(from + "A: 1\r\n\r\nx\r\n", from + "B: 2\r\n\r\ny\r\n"));
}

TEST(Mbox, LinesOfBodiesAreUnquoted) {
  const TestDirectory folder;
  const std::string head = std::string(kFrom) + ">From joe Thu Aug 22 12:36:23 2002\nSubject: a\n>From b\n";
  const std::string path =
      folder.Write("mbox", head + "\n>From x\n>From y\r\n>>From z\n> From z\n >From u\n>Fromage\n>>\n");
  EXPECT_THAT(ReadMessages(path).bytes,
              ElementsAre(head + "\nFrom x\nFrom y\r\n>>From z\n> From z\n >From u\n>Fromage\n>>\n"));
  const std::string message = "Subject: a\n\n>From x\n";
  EXPECT_THAT(ReadMessages(folder.Write("mail", message)).bytes, ElementsAre(message));
  const std::string cut = head + "\n" + std::string(LineReader::kPieceBytes, 'a') + ">From x\n";
  EXPECT_THAT(ReadMessages(folder.Write("mbox", cut)).bytes, ElementsAre(cut));
}

TEST(Mbox, OneMessageIsNamedByItsFile) {
  const TestDirectory folder;
  const std::string path = folder.Write("mail", std::string(kFrom) + "Subject: a\n\nbody\n");
  EXPECT_THAT(ReadMessages(path).names, ElementsAre(path));
}

TEST(Mbox, MustBeOneWhereAskedFor) {
  const TestDirectory folder;
  const Messages all = ReadMessages(
      folder.Write("mail", std::string("Subject: a\n\nbody\n\n") + std::string(kFrom)), Format::kMbox);
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].exit_code, kData);
  EXPECT_THAT(all.bytes, IsEmpty());
}

TEST(Mbox, MessagesOverTheLimitAreCutAndTheNextIsFound) {
  const TestDirectory folder;
  const std::string from(kFrom);
  const std::string path =
      folder.Write("mbox", from + "\n" + std::string(300000, 'x') + "\n\n" + from + "A: 1\n\nend\n");
  auto source = OpenSource(path, Format::kAuto, 1000);
  ASSERT_TRUE(source);
  RawMessage message;
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_TRUE(message.is_cut);
  EXPECT_EQ(message.bytes.size(), 1000u);
  ASSERT_TRUE((*source)->Next(&message).value());
  EXPECT_FALSE(message.is_cut);
  EXPECT_EQ(message.bytes, from + "A: 1\n\nend\n");
  EXPECT_FALSE((*source)->Next(&message).value());
}

// Compares the splitter with a split of all lines at once.
TEST(Mbox, EqualsItsTwinOnRandomMboxes) {
  const TestDirectory folder;
  const std::vector<std::string> lines = {std::string(kFrom),
                                          "\n",
                                          "A: b\n",
                                          std::string(kFrom),
                                          "A: b\n",
                                          "\r\n",
                                          "text\n",
                                          ">From x\n",
                                          "From x\n",
                                          "c:",
                                          std::string(70000, 'y') + "\n"};
  const auto is_empty = [](const std::string& line) { return line == "\n" || line == "\r\n"; };
  for (uint64_t seed = 0; seed < 500; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::string> mbox = {lines[0]};
    while (mbox.size() < 40) {
      std::string line = lines[random() % (random() % 8 == 0 ? 11 : 10)];
      if (line == "c:") line += std::string(random() % 70000, 'z') + "\n";
      mbox.push_back(std::move(line));
    }
    std::vector<std::string> expected;
    std::string text;
    bool in_body = true;
    for (size_t i = 0; i < mbox.size(); ++i) {
      const bool has_head = i + 1 < mbox.size() && (mbox[i + 1] == "A: b\n" || mbox[i + 1].starts_with("c:"));
      if (i == 0 || (in_body && mbox[i] == kFrom && has_head)) {
        if (i > 0 && is_empty(mbox[i - 1]))
          expected.back().resize(expected.back().size() - mbox[i - 1].size());
        expected.emplace_back();
        in_body = false;
      }
      expected.back() += in_body && mbox[i].starts_with(">From ") ? mbox[i].substr(1) : mbox[i];
      in_body = in_body || is_empty(mbox[i]);
      text += mbox[i];
    }
    if (is_empty(mbox.back())) expected.back().resize(expected.back().size() - mbox.back().size());
    EXPECT_EQ(ReadMessages(folder.Write("mbox", text)).bytes, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace thresher::pipeline
