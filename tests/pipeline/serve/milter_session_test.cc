#include "pipeline/serve/milter_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/serve/milter_user.h"
#include "tests/pipeline/serve/milter_client.h"
#include "tests/pipeline/serve/toy_service.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class MilterSessionTest : public testing::Test {
 protected:
  static Response Ask(MilterSession& session, const std::string& bytes) {
    EXPECT_EQ(session.Take(bytes), bytes.size());
    EXPECT_TRUE(session.HasRequest());
    Response answer{.bytes = "none"};
    session.Respond([&](Response response) { answer = std::move(response); });
    return answer;
  }
  std::vector<std::string> AnswersTo(const MilterMail& mail) {
    MilterSession session(service_, rules_now_);
    EXPECT_FALSE(Ask(session, MilterOptionsPacket()).closes);
    const Response response = Ask(session, mail.Packets());
    EXPECT_FALSE(response.closes);
    return MilterAnswers(response.bytes);
  }

  ToyService service_;
  MilterSession::Rules rules_ = {.message_bytes = 1000};
  MilterSession::RulesNow rules_now_ = [this] {
    return std::make_shared<const MilterSession::Rules>(rules_);
  };
};

TEST_F(MilterSessionTest, AgreesOnWhatItNeeds) {
  MilterSession session(service_, rules_now_);
  const Response agreed = Ask(session, MilterOptionsPacket());
  EXPECT_EQ(agreed.bytes, MilterOptionsPacket(6, 0x11, 0x1c8387));
  EXPECT_FALSE(agreed.closes);
  rules_.settings.quarantine = 0.9;
  MilterSession puts_aside(service_, rules_now_);
  EXPECT_EQ(Ask(puts_aside, MilterOptionsPacket()).bytes, MilterOptionsPacket(6, 0x31, 0x1c8387));
  for (const std::string& less : {MilterOptionsPacket(2), MilterOptionsPacket(6, 0x01),
                                  MilterOptionsPacket(6, 0x1ff, 0x7f), MilterOptionsPacket(6, 0, 0)}) {
    MilterSession old(service_, rules_now_);
    const Response refused = Ask(old, less);
    EXPECT_TRUE(refused.closes);
    EXPECT_EQ(refused.bytes, "");
  }
}

TEST_F(MilterSessionTest, AddsTheVerdict) {
  EXPECT_THAT(AnswersTo({.headers = {{"Subject", " spam"}}}),
              ElementsAre(StartsWith("insert 1 X-Thresher: Spam, probability=0.999"), "accept"));
  EXPECT_THAT(AnswersTo({.headers = {{"Subject", " good"}}}),
              ElementsAre(StartsWith("insert 1 X-Thresher: Ham, probability=0.001"), "accept"));
  EXPECT_EQ(service_.asked()[0], "classify Subject: spam\n\nbody\n for joe@example.org");
}

TEST_F(MilterSessionTest, TheDomainOfTheRecipientsNamesTheModel) {
  rules_.models = "domain";
  AnswersTo({.headers = {{"Subject", " good"}}});
  EXPECT_THAT(service_.asked()[0], testing::EndsWith(" for joe@example.org in example.org"));
}

TEST_F(MilterSessionTest, RemovesForgedVerdictsFromTheLastOne) {
  EXPECT_THAT(AnswersTo({.headers = {{"X-Thresher", " Ham"},
                                     {"A", " b"},
                                     {"x-THRESHER", " Ham"},
                                     {"X-Thresher-Note", " Ham"},
                                     {"a", " b\rX-Thresher: Ham\rC: d"},
                                     {"X-Thresher", " Ham, version=1\n\tfolded"}}}),
              ElementsAre("change 3 X-Thresher:", "change 2 a: b\rC: d", "change 1 X-Thresher-Note:",
                          "change 2 x-THRESHER:", "change 1 X-Thresher:", StartsWith("insert 1"), "accept"));
}

TEST_F(MilterSessionTest, WritesTheMarksThatTheSettingsName) {
  rules_.marks = {.header = "X-Verdict", .spam_headers = true, .subject_tag = "[SPAM]"};
  EXPECT_THAT(
      AnswersTo({.headers = {{"X-Spam-Flag", " NO"},
                             {"From", " a"},
                             {"Subject", " spam"},
                             {"subject", " two"},
                             {"X-Verdict", " Ham"},
                             {"X-Verdict-Other", " kept"}}}),
      ElementsAre("change 1 X-Verdict:", "change 1 Subject: [SPAM] spam",
                  "change 1 X-Spam-Flag:", StartsWith("insert 1 X-Verdict: Spam, "),
                  StartsWith("insert 1 X-Spam-Status: Yes, score=8"), "insert 1 X-Spam-Flag: YES", "accept"));
  EXPECT_THAT(AnswersTo({.headers = {{"Subject", " [SPAM] spam"}}}).size(), 4U) << "it has the tag";
  EXPECT_THAT(AnswersTo({.headers = {{"Subject", " good"}}}),
              ElementsAre(StartsWith("insert 1 X-Verdict: Ham, "), StartsWith("insert 1 X-Spam-Status: No, "),
                          "accept"));
}

TEST_F(MilterSessionTest, RefusesAndPutsAsideOnlyIfToldSo) {
  const MilterMail spam{.headers = {{"Subject", " spam"}}};
  const MilterMail ham{.headers = {{"Subject", " good"}}};
  rules_.settings.quarantine = 0.99;
  EXPECT_THAT(AnswersTo(spam), ElementsAre(StartsWith("insert"), "quarantine thresher: spam", "accept"));
  EXPECT_THAT(AnswersTo(ham), ElementsAre(StartsWith("insert"), "accept"));
  rules_.settings.quarantine = 0.9999;
  EXPECT_THAT(AnswersTo(spam), ElementsAre(StartsWith("insert"), "accept"));
  rules_.settings.reject = 0.99;
  EXPECT_THAT(AnswersTo(spam), ElementsAre(StartsWith("reply 550 5.7.1 ")));
  EXPECT_THAT(AnswersTo(ham), ElementsAre(StartsWith("insert"), "accept"));
  rules_.settings.reject = 0.0005;
  EXPECT_THAT(AnswersTo(ham), ElementsAre(StartsWith("insert"), "accept")) << "the verdict is not Spam";
}

// It may be open for hours, as that of a mail server with much mail.
TEST_F(MilterSessionTest, AConnectionFollowsTheRules) {
  const std::string spam = MilterMail{.headers = {{"Subject", " spam"}}}.Packets();
  MilterSession session(service_, rules_now_);
  Ask(session, MilterOptionsPacket());
  const auto answers = [&] { return MilterAnswers(Ask(session, spam).bytes); };
  EXPECT_THAT(answers(), ElementsAre(StartsWith("insert"), "accept"));
  rules_.settings.reject = 0.99;
  EXPECT_THAT(answers(), ElementsAre(StartsWith("reply 550 5.7.1 ")));
  rules_.settings.reject = 0;
  rules_.settings.quarantine = 0.99;
  EXPECT_THAT(answers(), ElementsAre(StartsWith("insert"), "accept")) << "that was not agreed";
  rules_.tempfail = true;
  service_.ready = tl::unexpected(Error{kBusy, "no model"});
  EXPECT_THAT(answers(), ElementsAre("try again"));
  service_.ready = {};
  MilterSession puts_aside(service_, rules_now_);
  Ask(puts_aside, MilterOptionsPacket());
  rules_.settings.quarantine = 0;
  EXPECT_THAT(MilterAnswers(Ask(puts_aside, spam).bytes), ElementsAre(StartsWith("insert"), "accept"));
}

TEST_F(MilterSessionTest, AcceptsWhatItCannotJudge) {
  const MilterMail forged{.headers = {{"X-Thresher", " Ham"}}};
  service_.ready = tl::unexpected(Error{kBusy, "no model"});
  EXPECT_THAT(AnswersTo(forged),
              ElementsAre("change 1 X-Thresher:",
                          StartsWith("insert 1 X-Thresher: Error, no model, version="), "accept"));
  rules_.tempfail = true;
  EXPECT_THAT(AnswersTo(forged), ElementsAre("try again"));
  // What is too large would be so again.
  EXPECT_THAT(AnswersTo({.headers = {{"X-Thresher", " Ham"}}, .body = std::string(1001, 'x')}),
              ElementsAre("change 1 X-Thresher:", HasSubstr("Error, the message has more than 1000 bytes"),
                          "accept"));
}

TEST_F(MilterSessionTest, WhatIsNotTheProtocolCostsTheConnection) {
  MilterSession session(service_, rules_now_);
  session.Take("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(session.HasRequest());
  session.Respond([](const Response& response) {
    EXPECT_TRUE(response.closes);
    EXPECT_EQ(response.bytes, "");
  });
}

TEST(UserOfRecipients, IsOneUserOrNone) {
  const auto user = [](const std::vector<std::string>& recipients, const std::string& form = "address") {
    return UserOfRecipients(recipients, form);
  };
  EXPECT_EQ(user({"<Joe@Example.org>"}), "joe@example.org");
  EXPECT_EQ(user({"<Joe@Example.org>"}, "local"), "joe");
  EXPECT_EQ(user({"<Joe@Example.org>"}, "none"), "");
  EXPECT_EQ(user({"<joe+lists@example.org>"}), "joe@example.org");
  EXPECT_EQ(user({"<joe+lists@example.org>", "<joe@example.org>"}), "joe@example.org");
  EXPECT_EQ(user({"<+joe@example.org>"}, "local"), "+joe");
  EXPECT_EQ(user({"<joe@example.org>", "<ann@example.org>"}), "");
  EXPECT_EQ(user({"<joe@example.org>", "<joe@other.example>"}, "local"), "joe");
  EXPECT_EQ(user({"joe"}), "joe");
  EXPECT_EQ(user({}), "");
  EXPECT_EQ(user({"<>"}), "");
  EXPECT_EQ(user({"<../x@example.org>"}), "");
  EXPECT_EQ(user({"<" + std::string(80, 'j') + "@example.org>"}), "");
}

}  // namespace
}  // namespace thresher::pipeline
