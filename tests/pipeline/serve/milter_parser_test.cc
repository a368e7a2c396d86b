#include "pipeline/serve/milter_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/pipeline/serve/milter_client.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Request = MilterParser::Request;

// Behind the options.
MilterParser Begun(size_t most_bytes = 10000) {
  MilterParser parser(most_bytes);
  parser.Take(MilterOptionsPacket());
  EXPECT_EQ(parser.request(), Request::kOptions);
  parser.Next();
  return parser;
}

MilterMessage MessageOf(const MilterMail& mail, size_t most_bytes = 10000) {
  MilterParser parser = Begun(most_bytes);
  const std::string packets = mail.Packets();
  EXPECT_EQ(parser.Take(packets + "rest"), packets.size());
  EXPECT_EQ(parser.request(), Request::kMessage);
  return parser.message();
}

TEST(MilterParser, ReadsOptions) {
  MilterParser parser(100);
  const std::string packet = MilterOptionsPacket(6, 0x1ff, 0x1fffff);
  for (const char c : packet) {
    EXPECT_EQ(parser.request(), Request::kNone);
    EXPECT_EQ(parser.Take({&c, 1}), 1U);
  }
  EXPECT_EQ(parser.request(), Request::kOptions);
  EXPECT_EQ(parser.options().version, 6U);
  EXPECT_EQ(parser.options().actions, 0x1ffU);
  EXPECT_EQ(parser.options().steps, 0x1fffffU);
  EXPECT_EQ(parser.Take("more"), 0U);
}

TEST(MilterParser, PutsAMessageTogether) {
  const MilterMessage message = MessageOf({.recipients = {"<a@x>", "<b@y>"},
                                           .headers = {{"Subject", " one\r\n\ttwo"}, {"From", "joe"}},
                                           .body = "first\r\nsecond \r\r\n\rlast"});
  EXPECT_THAT(message.recipients, ElementsAre("<a@x>", "<b@y>"));
  EXPECT_EQ(message.text, "Subject: one\n\ttwo\nFrom:joe\n\nfirst\nsecond \r\n\rlast");
  EXPECT_THAT(message.headers, ElementsAre(0, 18));
  EXPECT_EQ(message.head_end, 27U);
  EXPECT_EQ(MessageOf({.headers = {}, .body = ""}).text, "\n");
}

TEST(MilterParser, ABodyMayComeInPieces) {
  MilterParser parser = Begun();
  for (const char* piece : {"one\r", "\ntwo", "\r\n"}) parser.Take(MilterPacket(kMilterBody, piece));
  parser.Take(MilterPacket(kMilterEndOfMessage, "end"));
  EXPECT_EQ(parser.message().text, "\none\ntwo\nend");
}

TEST(MilterParser, IsAtRestBeforeTheDataOfAMessage) {
  MilterParser parser = Begun();
  EXPECT_TRUE(parser.IsAtRest());
  parser.Take(MilterPacket(kMilterMacros, "C"));
  EXPECT_TRUE(parser.IsAtRest());
  parser.Take(std::string_view("\0\0", 2));
  EXPECT_FALSE(parser.IsAtRest());
  parser.Take(std::string_view("\0\5Ra\0b\0", 7));
  EXPECT_TRUE(parser.IsAtRest());
  EXPECT_GT(parser.held(), 0U);
  parser.Take(MilterPacket(kMilterHeader, MilterTexts({"A", "b"})));
  EXPECT_FALSE(parser.IsAtRest());
  parser.Take(MilterPacket(kMilterAbort));
  EXPECT_TRUE(parser.IsAtRest());
  EXPECT_EQ(parser.held(), 0U);
  EXPECT_EQ(parser.request(), Request::kNone);
}

TEST(MilterParser, NothingStaysOfALargeMessage) {
  MilterParser parser = Begun();
  parser.Take(MilterPacket(kMilterBody, std::string(9000, 'x')));
  parser.Take(MilterPacket(kMilterEndOfMessage));
  ASSERT_EQ(parser.message().text.size(), 9001U);
  parser.Next();
  EXPECT_EQ(parser.message().text.capacity(), std::string().capacity());
}

TEST(MilterParser, NothingStaysOfALargePacket) {
  MilterParser parser = Begun();
  const std::string packet =
      MilterPacket(kMilterRecipient, MilterTexts({"<a@a.org>", std::string(1000000, 'x')}));
  parser.Take(std::string_view(packet).substr(0, 600000));
  EXPECT_GE(parser.held(), 600000U);
  parser.Take(std::string_view(packet).substr(600000));
  EXPECT_TRUE(parser.IsAtRest());
  EXPECT_LT(parser.held(), 1000U);
}

TEST(MilterParser, MacrosAreNotKept) {
  MilterParser parser = Begun();
  const std::string packet = MilterPacket(kMilterMacros, std::string(1000000, 'x'));
  for (size_t at = 0; at < packet.size(); at += 300000) {
    EXPECT_EQ(parser.IsAtRest(), at == 0);
    parser.Take(std::string_view(packet).substr(at, 300000));
    EXPECT_EQ(parser.held(), 0U);
  }
  EXPECT_TRUE(parser.IsAtRest());
  parser.Take(MilterPacket(kMilterMacros) + MilterMail().Packets());
  EXPECT_EQ(parser.request(), Request::kMessage);
}

// Also that of short ones, which are inside the objects of their names.
TEST(MilterParser, TheMemoryOfRecipientsCounts) {
  for (const size_t length : {size_t{1}, size_t{320}}) {
    MilterParser parser = Begun();
    const std::string address(length, 'a');
    for (int i = 0; i < 1000; ++i) parser.Take(MilterPacket(kMilterRecipient, MilterTexts({address})));
    EXPECT_GE(parser.held(), 1000 * (sizeof(std::string) + (length > 15 ? length : 0)));
  }
}

TEST(MilterParser, ManyRecipientsAreCounted) {
  MilterParser parser = Begun();
  for (int i = 0; i < 1000; ++i) parser.Take(MilterPacket(kMilterRecipient, MilterTexts({"<a@a.org>"})));
  EXPECT_FALSE(parser.message().has_more_recipients);
  parser.Take(MilterPacket(kMilterRecipient, MilterTexts({"<b@b.org>"})));
  EXPECT_TRUE(parser.message().has_more_recipients);
  EXPECT_EQ(parser.message().recipients.size(), 1000U);
}

TEST(MilterParser, TheNextMessageIsAnother) {
  MilterParser parser = Begun();
  for (const char* const subject : {" one", " two"}) {
    parser.Take(MilterMail{.headers = {{"Subject", subject}}}.Packets());
    ASSERT_EQ(parser.request(), Request::kMessage);
    EXPECT_EQ(parser.message().text, "Subject:" + std::string(subject) + "\n\nbody\n");
    parser.Next();
  }
  parser.Take(MilterMail().Packets().substr(0, 60));
  parser.Take(MilterPacket(kMilterNextConnection));
  parser.Take(MilterPacket(kMilterQuit));
  EXPECT_EQ(parser.request(), Request::kEnd);
}

TEST(MilterParser, OfALargeMessageTheHeadIsKept) {
  const MilterMessage message =
      MessageOf({.headers = {{"Subject", " s"}}, .body = std::string(2000, 'x')}, 1000);
  EXPECT_TRUE(message.too_large);
  EXPECT_EQ(message.text, "Subject: s\n");
  EXPECT_FALSE(MessageOf({.body = std::string(999, 'x')}, 1000).too_large);
  const MilterMessage headers = MessageOf({.headers = {200, {"a", ""}}}, 1000);
  EXPECT_TRUE(headers.too_large);
  EXPECT_LT(headers.headers.size(), 100U);
}

TEST(MilterParser, OnlySoManyRecipientsAreKept) {
  EXPECT_EQ(MessageOf({.recipients = std::vector<std::string>(3000, std::string(2000, 'a'))})
                .recipients.back()
                .size(),
            320U);
  EXPECT_EQ(MessageOf({.recipients = std::vector<std::string>(3000, "a")}).recipients.size(), 1000U);
}

TEST(MilterParser, WhatIsNotTheProtocolEndsIt) {
  using std::string_literals::operator""s;
  const std::vector<std::string> wrong = {
      "\0\0\0\0"s,
      "\xff\xff\xff\xff"s,
      "GET / HTTP/1.1\r\n",
      MilterPacket('C', "host"),
      MilterPacket('?'),
      MilterOptionsPacket(),
      MilterPacket(kMilterRecipient, "no end"),
      MilterPacket(kMilterHeader, "name\0no end"s),
      MilterPacket(kMilterHeader, "\0no name\0"s),
      MilterPacket(kMilterEndOfHead) + MilterPacket(kMilterHeader, MilterTexts({"A", "b"})),
      MilterPacket(kMilterBody) + MilterPacket(kMilterRecipient, MilterTexts({"<a>"})),
      MilterPacket(kMilterQuit),
  };
  for (const std::string& bytes : wrong) {
    MilterParser parser = Begun();
    parser.Take(bytes);
    EXPECT_EQ(parser.request(), Request::kEnd) << testing::PrintToString(bytes);
  }
  for (const std::string& bytes : {MilterPacket(kMilterOptions, "short"), MilterMail().Packets(),
                                   MilterPacket(kMilterAbort), MilterPacket(kMilterQuit)}) {
    MilterParser parser(100);
    parser.Take(bytes);
    EXPECT_EQ(parser.request(), Request::kEnd) << testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace thresher::pipeline
