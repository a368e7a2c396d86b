// Services that follow one log have one model, also if the log cannot be reached for a while.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/serve/http_answers.h"
#include "pipeline/serve/metrics.h"
#include "storage/read_file.h"
#include "tests/pipeline/serve/shared_log_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(SharedLogTest, WhatOneIsTaughtAllKnow) {
  const Served one = Serve("one");
  const Served two = Serve("two");
  for (int i = 0; i < kTaught; ++i) {
    const Served& teacher = i % 2 == 0 ? one : two;
    ASSERT_EQ(Learn(*teacher.service, MessageNumber(i), LabelOfNumber(i)), TeachResult::kNew);
  }
  for (const Served* const each : {&one, &two}) {
    AwaitRecords(*each, kTaught);
    EXPECT_EQ(each->service->Classify(SpamMessage(1000), {})->verdict, Verdict::kSpam);
    EXPECT_EQ(each->service->Classify(HamMessage(1000), {})->verdict, Verdict::kHam);
    EXPECT_EQ(each->service->Log()->applied, static_cast<uint64_t>(kTaught));
  }
  EXPECT_EQ(Learn(*two.service, SpamMessage(0), Label::kSpam), TeachResult::kKnown);
  EXPECT_EQ(Learn(*two.service, SpamMessage(0), Label::kHam), TeachResult::kCorrected);
  AwaitRecords(one, kTaught + 2);
  const LogDescription first = Describe(one);
  EXPECT_EQ(first.figures.position, static_cast<uint64_t>(kTaught + 2));
  EXPECT_THAT(first.digest, HasSubstr(std::to_string(kTaught + 1) + " examples, "));
  EXPECT_EQ(Describe(two).digest, first.digest);
}

TEST_F(SharedLogTest, WhoIsCutOffJudgesAndDeliversLater) {
  const Served one = Serve("one");
  const Served two = Serve("two");
  for (int i = 0; i < kTaught; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  AwaitRecords(two, kTaught);
  two.log->is_cut_off = true;
  Await([&] { return !two.service->Log()->trouble.empty(); });
  EXPECT_EQ(Learn(*two.service, SpamMessage(1), Label::kSpam), TeachResult::kWaiting);
  EXPECT_EQ(Learn(*two.service, SpamMessage(1), Label::kHam), TeachResult::kWaiting);
  EXPECT_EQ(two.service->Classify(SpamMessage(1000), {})->verdict, Verdict::kSpam);
  EXPECT_TRUE(two.service->Ready());
  EXPECT_EQ(two.service->Log()->outbox, 2U);
  EXPECT_EQ(Learn(*one.service, SpamMessage(2), Label::kSpam), TeachResult::kNew);
  two.log->is_cut_off = false;
  AwaitRecords(two, kTaught + 3);
  AwaitRecords(one, kTaught + 3);
  EXPECT_EQ(Describe(one).digest, Describe(two).digest);
}

TEST_F(SharedLogTest, WhatWaitsSurvivesAKill) {
  {
    const Served one = Serve("one");
    AwaitRecords(one, 0);
    one.log->is_cut_off = true;
    Await([&] { return !one.service->Log()->trouble.empty(); });
    EXPECT_EQ(Learn(*one.service, SpamMessage(1), Label::kSpam), TeachResult::kWaiting);
  }
  const Served one = Serve("one");
  AwaitRecords(one, 1);
  EXPECT_EQ(Learn(*one.service, SpamMessage(1), Label::kSpam), TeachResult::kKnown);
}

// The log has the operation, and the servers forget its name before it is published again.
TEST_F(SharedLogTest, AnAnswerThatIsLostTeachesNothingTwice) {
  stream_->knows_names = false;
  const Served one = Serve("one");
  AwaitRecords(one, 0);
  one.log->loses_answers = true;
  const auto taught = Learn(*one.service, SpamMessage(1), Label::kSpam);
  ASSERT_TRUE(taught.has_value());
  one.log->loses_answers = false;
  AwaitRecords(one, 2);
  Await([&] { return one.service->Log()->duplicates > 0; });
  EXPECT_THAT(Describe(one).digest, HasSubstr("1 examples, "));
}

TEST_F(SharedLogTest, TakesRepliesByMessageId) {
  const Served one = Serve("one");
  const auto judged = one.service->Classify(SpamMessage(1), {"alice"});
  const Reply reply{Label::kSpam, "spam1@pills.example", judged->key.digest};
  EXPECT_EQ(Feedback(*one.service, reply, "alice"), TeachResult::kNew);
  EXPECT_EQ(Feedback(*one.service, reply, "alice"), TeachResult::kKnown);
  EXPECT_EQ(Feedback(*one.service, reply, "bob").error().exit_code, kNoInput);
}

TEST_F(SharedLogTest, AllForgetWhatOneIsToldTo) {
  const Served one = Serve("one");
  const Served two = Serve("two");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  AwaitRecords(two, 4);
  EXPECT_EQ(Forget(*two.service, MessageNumber(1)), true);
  EXPECT_EQ(Forget(*two.service, MessageNumber(1)), false);
  EXPECT_EQ(Forget(*two.service, SpamMessage(77)), false);
  AwaitRecords(one, 5);
  EXPECT_EQ(Learn(*one.service, MessageNumber(1), LabelOfNumber(1)), TeachResult::kNew);
  AwaitRecords(two, 6);
  EXPECT_EQ(Describe(one).digest, Describe(two).digest);
  two.log->is_cut_off = true;
  Await([&] { return !two.service->Log()->trouble.empty(); });
  EXPECT_THAT(Forget(*two.service, MessageNumber(2)).error().message,
              HasSubstr("until the shared log has it"));
  two.log->is_cut_off = false;
  AwaitRecords(one, 7);
  EXPECT_EQ(Learn(*one.service, MessageNumber(2), LabelOfNumber(2)), TeachResult::kNew);
}

TEST_F(SharedLogTest, AllMessagesOfAUserAreForgotten) {
  const Served one = Serve("one");
  const Served two = Serve("two");
  ASSERT_TRUE(Learn(*one.service, SpamMessage(1), Label::kSpam, "alice"));
  ASSERT_TRUE(Learn(*one.service, SpamMessage(1), Label::kSpam, "bob"));
  ASSERT_TRUE(one.service->Classify(SpamMessage(2), {"alice"}).has_value());
  AwaitRecords(two, 2);
  const auto forget = [&](const std::string& user) {
    return Heard<ForgottenMessages>([&](auto done) { one.service->ForgetAllOf({user}, done); });
  };
  const auto forgotten = forget("alice");
  ASSERT_TRUE(forgotten.has_value()) << forgotten.error().message;
  EXPECT_EQ(forgotten->messages, 1U);
  EXPECT_EQ(forgotten->spooled, 1U);
  AwaitRecords(two, 3);
  EXPECT_EQ(Learn(*two.service, SpamMessage(1), Label::kSpam, "alice"), TeachResult::kNew);
  EXPECT_EQ(Learn(*two.service, SpamMessage(1), Label::kSpam, "bob"), TeachResult::kKnown);
  EXPECT_EQ(forget("carol").error().exit_code, kNoInput);
  // Whose message it is that cannot be read nobody knows.
  std::filesystem::create_directory(directory_ / "one/default/spool/0000000000000000-0000000000000000");
  EXPECT_EQ(forget("bob").error().exit_code, kIo);
  EXPECT_EQ(Learn(*one.service, SpamMessage(1), Label::kSpam, "bob"), TeachResult::kNew);
}

TEST_F(SharedLogTest, WhatTheLogHasLeavesTheOutbox) {
  const Served one = Serve("one");
  ASSERT_TRUE(Learn(*one.service, SpamMessage(1), Label::kSpam));
  Await([&] { return one.service->Log()->outbox_bytes == 0; });
  EXPECT_THAT(storage::ReadWholeFile(directory_ / "one/default.outbox").value(),
              Not(HasSubstr("spam1@pills.example")));
}

// As from a backup of its disk. The numbers of what it is taught then were given before, for other messages.
TEST_F(SharedLogTest, ANodeThatWasRestoredLosesNothingItIsTaught) {
  const auto teach = [&](int from, int to) {
    const Served one = Serve("one");
    for (int i = from; i < to; ++i)
      ASSERT_EQ(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)), TeachResult::kNew);
    AwaitRecords(one, static_cast<uint64_t>(to));
  };
  teach(0, 2);
  std::filesystem::copy(directory_ / "one", directory_ / "backup", std::filesystem::copy_options::recursive);
  teach(2, 5);
  std::filesystem::remove_all(directory_ / "one");
  std::filesystem::rename(directory_ / "backup", directory_ / "one");
  teach(5, 8);
  teach(8, 9);
  const Served two = Serve("two");
  AwaitRecords(two, 9);
  EXPECT_EQ(two.service->Log()->duplicates, 0U);
  EXPECT_THAT(Describe(two).digest, HasSubstr("9 examples, "));
}

TEST_F(SharedLogTest, ANodeFarFromTheServersFollows) {
  const Served one = Serve("one");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  const Served two =
      Serve("two", 0, [](MemoryLog& log) { log.answers_after = std::chrono::milliseconds(50); });
  AwaitRecords(two, 4);
  EXPECT_EQ(Learn(*two.service, MessageNumber(5), LabelOfNumber(5)), TeachResult::kNew);
}

// What the log lost was acknowledged: nobody may go on as if it had not been.
TEST_F(SharedLogTest, ALogThatWasRestoredIsNotFollowedThoughItIsAsLong) {
  {
    const Served one = Serve("one");
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
    stream_->LoseRecordsAfter(2);
    Await([&] { return one.service->Log()->trouble.find("ends with record 2") != std::string::npos; });
    for (int i = 0; i < 4; ++i) stream_->Append("", "x");
    Await([&] { return one.service->Log()->trouble.find("record 4 of the log") != std::string::npos; });
  }
  const Served one = Serve("one");
  Await(
      [&] { return one.service->Log()->trouble.find("restored from an older state") != std::string::npos; });
  EXPECT_EQ(one.service->Log()->position, 4U);
  EXPECT_THAT(Learn(*one.service, SpamMessage(9), Label::kSpam).error().message,
              HasSubstr("record 4 of the log 'mail' is not the one"));
}

TEST_F(SharedLogTest, StopsTakingFeedbackIfTheLogIsNotItsOwn) {
  const Served one = Serve("one");
  ASSERT_TRUE(Learn(*one.service, SpamMessage(1), Label::kSpam));
  one.log->is_cut_off = true;
  Await([&] { return !one.service->Log()->trouble.empty(); });
  stream_->LoseRecordsAfter(0);  // it is removed and made again
  stream_->LoseAgreement();
  one.log->is_cut_off = false;
  Await([&] { return one.service->Log()->trouble.find("says nothing of a model") != std::string::npos; });
  EXPECT_THAT(Learn(*one.service, SpamMessage(2), Label::kSpam).error().message, HasSubstr("says nothing"));
  EXPECT_EQ(one.service->Classify(SpamMessage(1000), {})->verdict, Verdict::kUnsure);
}

TEST_F(SharedLogTest, WhatWasAgreedUponIsPutBackByANodeThatRuns) {
  const Served one = Serve("one");
  ASSERT_TRUE(Learn(*one.service, MessageNumber(0), LabelOfNumber(0)));
  const auto agreed = stream_->Agreed();
  stream_->LoseAgreement();
  // With the digest after record 4 it meets the others at once.
  for (int i = 1; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  Await([&] { return stream_->Agreed() == agreed; });
  const Served two = Serve("two");
  AwaitRecords(two, 4);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
}

TEST_F(SharedLogTest, ARecordThatIsTooLongIsRefused) {
  SharedLog log(std::make_unique<MemoryLog>(stream_), {}, directory_ / "outbox",
                {.post = [](const auto&) {}, .on_change = [](const LogFigures&) {}});
  Operation operation;
  operation.features = std::string(OrderedLog::kLongestRecord, 'x');
  std::optional<Error> refused;
  log.Submit(std::move(operation), [&](const auto& done) { refused = done.error(); });
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->exit_code, kData);
  EXPECT_THAT(refused->message,
              HasSubstr("hold 1000000 bytes of this message, and a record of it takes 995904"));
}

TEST_F(SharedLogTest, ARecordThatIsMissingStopsIt) {
  const Served one = Serve("one");
  ASSERT_TRUE(Learn(*one.service, SpamMessage(1), Label::kSpam));
  stream_->DropRecords(5);  // as if others had taught much more, and the servers had lost it
  for (int i = 0; i < 6; ++i) stream_->Append("", "x");
  Await([&] { return !one.service->Log()->trouble.empty(); });
  EXPECT_THAT(one.service->Log()->trouble, HasSubstr("has no record 2 any more"));
  EXPECT_EQ(Learn(*one.service, SpamMessage(2), Label::kSpam), TeachResult::kWaiting);
  Await([&] {
    return one.service->Log()->trouble.find("there is no snapshot for it yet") != std::string::npos;
  });
  EXPECT_EQ(one.service->Log()->position, 1U);
}

TEST(LogFiguresTest, AreShown) {
  const LogFigures log{.stream = "mail",
                       .identity = "0123",
                       .trouble = "no server",
                       .differs = "another model",
                       .position = 7,
                       .last = 9,
                       .digest_record = 4,
                       .snapshot = 3,
                       .snapshot_trouble = "no room",
                       .outbox = 2,
                       .applied = 5,
                       .duplicates = 1};
  EXPECT_THAT(MetricsText({.is_ready = true, .protocols = {}, .log = log}),
              AllOf(HasSubstr("thresher_log_followed 0\n"), HasSubstr("thresher_log_position 7\n"),
                    HasSubstr("thresher_log_differs 1\n"), HasSubstr("thresher_log_snapshot_record 3\n"),
                    HasSubstr("thresher_log_digest_record 4\n"), HasSubstr("thresher_log_last 9\n"),
                    HasSubstr("thresher_log_outbox 2\n"),
                    HasSubstr("thresher_log_records_total{fate=\"duplicate\"} 1\n")));
  const HttpResponse ready = ReadyResponse({}, log);
  EXPECT_EQ(ready.status, 200);
  EXPECT_THAT(ready.body, AllOf(HasSubstr("\"ready\":true"), HasSubstr("\"trouble\":\"no server\""),
                                HasSubstr("\"differs\":\"another model\""),
                                HasSubstr("\"snapshot_trouble\":\"no room\"")));
  EXPECT_EQ(ReadyResponse(tl::unexpected(Error{kBusy, "x"}), log).status, 503);
  EXPECT_THAT(StatisticsResponse(nlohmann::ordered_json{{"a", 1}}, log).body,
              AllOf(HasSubstr("\"a\": 1"), HasSubstr("\"outbox\": 2")));
}

}  // namespace
}  // namespace thresher::pipeline
