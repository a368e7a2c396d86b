// A service and its twin, a model that is taught directly: the same verdicts, to the bit, and the same model.
#include "pipeline/serve/model_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/delivery/marks.h"
#include "pipeline/opening/opening.h"
#include "storage/backup.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/model_service_fixture.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

TEST_F(ModelServiceTest, EqualsAModelThatIsTaughtDirectly) {
  const Settings settings = SettingsOf("service");
  Settings twin_settings = SettingsOf("twin");
  auto twin = *OpenOrCreateModel(ModelDirectory(twin_settings), twin_settings, TeachingAccess(twin_settings));
  const Spool spool = SpoolOf(twin_settings, twin->decoder());
  tokenizer::Tokenizer tokenizer = twin->identity().MakeTokenizer();
  {
    const auto service = Started(settings);
    for (int i = 0; i < kTaught; ++i) {
      const std::string message = MessageNumber(i);
      const std::string user = i % 5 == 0 ? "alice" : "";
      tokenizer::Features features;
      tokenizer.Tokenize(message, tokenizer::Kind::kMail, &features, user);
      const auto judged = service->Classify(message, {user});
      ASSERT_TRUE(judged) << judged.error().message;
      const auto score = twin->Classify(features);
      EXPECT_EQ(judged->score.margin, score->margin);
      EXPECT_EQ(judged->score.probability, score->probability);
      EXPECT_EQ(judged->verdict, settings.thresholds.Decide(score->probability));
      EXPECT_EQ(judged->key, KeyOf(settings, message, user));
      // It was classified before it is taught, which the model records.
      const tokenizer::MessageKeys keys = twin->identity().MakeKeyMaker().KeysOf(message, user);
      ASSERT_TRUE(spool.Keep(keys.own, features));
      ASSERT_EQ(Learn(*service, message, LabelOfNumber(i), user), TeachResult::kNew);
      ASSERT_TRUE(Teach(*twin, spool, features, LabelOfNumber(i), keys));
    }
    EXPECT_EQ(Learn(*service, MessageNumber(1), LabelOfNumber(1)), TeachResult::kKnown);
    EXPECT_TRUE(service->Stop());
  }
  ASSERT_TRUE(twin->Checkpoint());
  twin.reset();
  const auto weights = WeightsOf(settings);
  EXPECT_GT(weights.size(), 20U);
  EXPECT_EQ(weights, WeightsOf(twin_settings));
}

TEST_F(ModelServiceTest, ManyThreadsTeachAndScore) {
  const Settings settings = SettingsOf("store");
  std::atomic<int> failed = 0;
  {
    const auto service = Started(settings);
    Waiter waiter;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = t; i < kTaught; i += 4) {
          service->Learn(MessageNumber(i), {}, {.label = LabelOfNumber(i)}, waiter.Listen());
          failed += service->Classify(MessageNumber(i), {}) ? 0 : 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& taught : waiter.Await(kTaught)) EXPECT_EQ(taught, TeachResult::kNew);
    // A message that waited in the spool for feedback does so no more.
    EXPECT_EQ(Learn(*service, SpamMessage(0), Label::kSpam), TeachResult::kKnown);
    EXPECT_EQ(service->Classify(HamMessage(1000), {})->verdict, Verdict::kHam);
  }
  EXPECT_EQ(failed, 0);
  const auto model = OpenForReading(ModelDirectory(settings), settings);
  EXPECT_EQ(model->taught().ham + model->taught().spam, static_cast<uint64_t>(kTaught));
}

TEST_F(ModelServiceTest, WhatStopFindsIsStillTaught) {
  const Settings settings = SettingsOf("store");
  Waiter waiter;
  {
    const auto service = Started(settings);
    for (int i = 0; i < kTaught; ++i)
      service->Learn(MessageNumber(i), {}, {.label = LabelOfNumber(i)}, waiter.Listen());
    EXPECT_TRUE(service->Stop());
    EXPECT_EQ(Learn(*service, SpamMessage(999), Label::kSpam).error().exit_code, kBusy);
  }
  for (const auto& taught : waiter.Await(kTaught)) EXPECT_EQ(taught, TeachResult::kNew);
}

TEST_F(ModelServiceTest, AFullQueueRefuses) {
  Settings settings = SettingsOf("store");
  settings.serve.queue = 2;
  const auto service = Started(settings);
  Waiter waiter;
  constexpr int kMany = 300;
  for (int i = 0; i < kMany; ++i)
    service->Learn(MessageNumber(i), {}, {.label = LabelOfNumber(i)}, waiter.Listen());
  int refused = 0;
  for (const auto& taught : waiter.Await(kMany)) {
    if (taught) continue;
    EXPECT_EQ(taught.error().exit_code, kBusy);
    EXPECT_THAT(taught.error().message, HasSubstr("try again later"));
    ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, kMany);
}

TEST_F(ModelServiceTest, Forgets) {
  const auto service = Started(SettingsOf("store"));
  ASSERT_TRUE(Learn(*service, SpamMessage(1), Label::kSpam));
  EXPECT_EQ(Forget(*service, SpamMessage(1)), true);
  EXPECT_EQ(Forget(*service, SpamMessage(1)), false);
  EXPECT_EQ(Learn(*service, SpamMessage(1), Label::kSpam), TeachResult::kNew);
}

// Whoever may change the model may ask for a thousand unknown ones, and nobody else is taught meanwhile.
TEST_F(ModelServiceTest, ToForgetAnUnknownMessageReadsNoLogAndMakesNoCheckpoint) {
  const Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  const auto checkpoint = [&] {
    return OpenForReading(ModelDirectory(settings), settings)->log().checkpoint_seq;
  };
  ASSERT_TRUE(Learn(*service, SpamMessage(1), Label::kSpam));
  const tokenizer::MessageKey key = service->Classify(SpamMessage(2), {})->key;
  while (!SpoolOf(settings, {{}, 0}).Holds(key)) std::this_thread::yield();
  const uint64_t before = checkpoint();
  EXPECT_EQ(Forget(*service, SpamMessage(2)), false);
  EXPECT_FALSE(SpoolOf(settings, {{}, 0}).Holds(key));
  EXPECT_EQ(checkpoint(), before);
  EXPECT_EQ(Forget(*service, SpamMessage(1)), true);
  EXPECT_GT(checkpoint(), before);
}

// A program wrote into the Subject what the daemon had said of the message.
TEST_F(ModelServiceTest, KnowsAMessageByTheKeyItWasDeliveredWith) {
  const Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  const std::string message = SpamMessage(1);
  const auto judged = service->Classify(message, {});
  std::string delivered = Marked(message, MarksOf(*judged, {}), {});
  EXPECT_EQ(service->Classify(delivered, {})->score.margin, judged->score.margin);
  delivered.replace(delivered.find("Subject: "), 9, "Subject: maybe it is spam: ");
  EXPECT_NE(service->Classify(delivered, {})->key, judged->key);
  const auto taught =
      Heard<TaughtMessage>([&](auto done) { service->Learn(delivered, {}, {.label = Label::kSpam}, done); });
  EXPECT_EQ(taught->key.digest, judged->key.digest);
  EXPECT_EQ(Learn(*service, message, Label::kSpam), TeachResult::kKnown);
  EXPECT_EQ(Forget(*service, delivered), true);
  EXPECT_EQ(Learn(*service, message, Label::kSpam), TeachResult::kNew);
}

TEST_F(ModelServiceTest, ADamagedSpoolConcernsOneReply) {
  const Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  const auto classify = [&] {
    const tokenizer::MessageKey key = service->Classify(SpamMessage(1), {})->key;
    while (!SpoolOf(settings, {{}, 0}).Holds(key)) std::this_thread::yield();
    for (const auto& file : std::filesystem::directory_iterator(ModelDirectory(settings) / "spool"))
      std::filesystem::resize_file(file.path(), 20);
    return key.digest;
  };
  const std::string key = classify();
  const auto feedback = [&](Label label) { return Feedback(*service, {label, "spam1@pills.example", key}); };
  EXPECT_EQ(feedback(Label::kSpam).error().exit_code, kData);
  EXPECT_TRUE(service->Ready());
  EXPECT_EQ(Learn(*service, SpamMessage(1), Label::kSpam), TeachResult::kNew);
  EXPECT_EQ(classify(), key);
  EXPECT_EQ(feedback(Label::kSpam), TeachResult::kKnown);
}

TEST_F(ModelServiceTest, FeedbackNamesAMessage) {
  const auto service = Started(SettingsOf("store"));
  const auto feedback = [&](const std::string& id, const std::string& key, const std::string& user) {
    return Feedback(*service, {Label::kSpam, id, key}, user);
  };
  const std::string id = "spam1@pills.example";
  EXPECT_EQ(feedback(id, "", "").error().exit_code, kNoInput);
  const std::string key = service->Classify(SpamMessage(1), {"alice"})->key.digest;
  EXPECT_EQ(feedback(id, "", "").error().exit_code, kNoInput);  // it is Alice's
  EXPECT_EQ(feedback(id, "0000000000000000", "alice").error().exit_code, kNoInput);
  EXPECT_EQ(feedback(id, key, "alice"), TeachResult::kNew);
  EXPECT_EQ(feedback(id, "", "alice"), TeachResult::kKnown);
  EXPECT_EQ(Learn(*service, SpamMessage(1), Label::kHam, "alice"), TeachResult::kCorrected);
  EXPECT_EQ(feedback(id, key, "alice"), TeachResult::kCorrected);
  EXPECT_TRUE(service->Ready());
}

TEST_F(ModelServiceTest, AMessageWithoutMessageIdIsKnownByItsKey) {
  const auto service = Started(SettingsOf("store"));
  const auto judged = service->Classify("Subject: no id\n\npills\n", {});
  EXPECT_EQ(Feedback(*service, {Label::kSpam, "", judged->key.digest}), TeachResult::kNew);
}

// A path may be mistyped: a daemon that made the store there would call all mail Unsure for good.
TEST_F(ModelServiceTest, AStoreThatDoesNotExistIsNotMade) {
  Settings settings;
  settings.store_path = directory_ / "mistyped";
  ModelService service(settings, Ignore, {});
  while (!service.AwaitFirstOpening(std::chrono::seconds(1))) continue;
  EXPECT_THAT(service.Ready().error().message, HasSubstr("mistyped: there is no such store"));
  EXPECT_EQ(service.Classify(HamMessage(1), {}).error().exit_code, kBusy);
  // What asks the model's thread alone as well: the message may be known.
  EXPECT_EQ(Feedback(service, {Label::kHam, "id", ""}).error().exit_code, kBusy);
  EXPECT_FALSE(std::filesystem::exists(settings.store_path));
  std::filesystem::create_directory(settings.store_path);
  AwaitReady(service);
  EXPECT_EQ(Learn(service, HamMessage(1), Label::kHam), TeachResult::kNew);
}

// Its files are still open: what is written to them would be acknowledged and lost.
TEST_F(ModelServiceTest, AModelThatIsRemovedAcknowledgesNothingAndIsNotMadeAnew) {
  const Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  ASSERT_EQ(Learn(*service, HamMessage(1), Label::kHam), TeachResult::kNew);
  const std::filesystem::path model = ModelDirectory(settings);
  const std::filesystem::path moved = directory_ / "moved";
  std::filesystem::rename(model, moved);
  const auto taught = Learn(*service, HamMessage(2), Label::kHam);
  ASSERT_FALSE(taught);
  EXPECT_EQ(taught.error().exit_code, kIo);
  EXPECT_THAT(taught.error().message, HasSubstr("was removed or moved"));
  EXPECT_EQ(Learn(*service, HamMessage(3), Label::kHam).error().exit_code, kBusy);
  EXPECT_FALSE(service->Ready());
  EXPECT_TRUE(service->Classify(HamMessage(3), {})) << "by what is in memory";
  EXPECT_FALSE(std::filesystem::exists(model));
  std::filesystem::rename(moved, model);
  AwaitReady(*service);
  EXPECT_EQ(Learn(*service, HamMessage(1), Label::kHam), TeachResult::kKnown);
}

// Restored while the daemon still runs.
TEST_F(ModelServiceTest, ABackupThatTookTheModelsPlaceStaysAsItIs) {
  const Settings settings = SettingsOf("store");
  auto service = Started(settings);
  const std::filesystem::path model = ModelDirectory(settings);
  const std::filesystem::path backup = directory_ / "backup";
  ASSERT_EQ(Learn(*service, HamMessage(1), Label::kHam), TeachResult::kNew);
  ASSERT_TRUE(storage::BackUp(model, backup));
  ASSERT_EQ(Learn(*service, HamMessage(2), Label::kHam), TeachResult::kNew);
  std::filesystem::rename(model, directory_ / "moved");
  std::filesystem::rename(backup, model);
  const auto stopped = service->Stop();
  ASSERT_FALSE(stopped);
  EXPECT_THAT(stopped.error().message, HasSubstr("was removed or moved"));
  service = Started(settings);
  EXPECT_EQ(Learn(*service, HamMessage(1), Label::kHam), TeachResult::kKnown);
  EXPECT_EQ(Learn(*service, HamMessage(2), Label::kHam), TeachResult::kNew);
}

// What names a user that the daemon would take for another one must not change that one's messages.
TEST_F(ModelServiceTest, WhoInsistsOnAUserIsRefusedWhereUsersAreNotToldApart) {
  Settings settings = SettingsOf("store");
  settings.serve.users = false;
  settings.user = "bob";
  const auto service = Started(settings);
  ASSERT_EQ(Learn(*service, HamMessage(1), Label::kHam, "root"), TeachResult::kNew) << "as spamc says it";
  const auto forget_all = [&](const Whose& whose) {
    return Heard<ForgottenMessages>([&](auto done) { service->ForgetAllOf(whose, done); });
  };
  EXPECT_EQ(forget_all({.user = "alice", .insists = true}).error().exit_code, kData);
  EXPECT_EQ(service->Classify(HamMessage(1), {.user = "alice", .insists = true}).error().exit_code, kData);
  EXPECT_EQ(forget_all({.user = "bob", .insists = true})->messages, 1U);
}

TEST_F(ModelServiceTest, UsersAreAsTheSettingsSay) {
  Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  EXPECT_EQ(service->Classify(HamMessage(1), {"alice"})->key, KeyOf(settings, HamMessage(1), {"alice"}));
  EXPECT_EQ(service->Classify(HamMessage(1), {"a/b"})->key, KeyOf(settings, HamMessage(1), {}))
      << "whom a sender may have named";
  EXPECT_EQ(service->Classify(HamMessage(1), {.user = "a/b", .insists = true}).error().exit_code, kData);
  EXPECT_EQ(Heard<TaughtMessage>([&](auto done) { service->Learn(HamMessage(1), {"a/b"}, {}, done); })
                .error()
                .exit_code,
            kData);
  settings.serve.users = false;
  settings.user = "all";
  service->Reload(settings);
  EXPECT_EQ(service->Classify(HamMessage(1), {"a/b"})->key, KeyOf(settings, HamMessage(1), {"all"}));
}

TEST_F(ModelServiceTest, ReloadChangesThresholdsAndNotTheModel) {
  Settings settings = SettingsOf("store");
  const auto service = Started(settings);
  const Instruction all_is_spam = {.label = Label::kSpam, .circumstances = {.streamed = true}};
  const std::string spam = SpamMessage(1);
  ASSERT_TRUE(Heard<TaughtMessage>([&](auto done) { service->Learn(spam, {}, all_is_spam, done); }));
  EXPECT_EQ(service->Classify(HamMessage(1), {})->verdict, Verdict::kUnsure);
  settings.thresholds = {.spam = 0.5, .ham = 0.1};
  settings.store_path = directory_ / "other";
  service->Reload(settings);
  EXPECT_EQ(service->Classify(HamMessage(1), {})->verdict, Verdict::kSpam);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "other"));
}

// A corrupt store is no reason to die: mail is refused for now, and goes on when somebody has repaired it.
TEST_F(ModelServiceTest, AModelThatCannotBeOpenedIsTriedAgain) {
  const Settings settings = SettingsOf("store");
  const std::string blocks = directory_.Write("store/default", "a file where the model should be");
  std::mutex mutex;
  std::vector<std::string> heard;
  ModelService service(settings,
                       [&](const Result<void>& ready) {
                         const std::lock_guard lock(mutex);
                         heard.push_back(ready ? "ready" : ready.error().message);
                       },
                       {});
  const auto last_heard = [&] {
    const std::lock_guard lock(mutex);
    return heard.empty() ? "" : heard.back();
  };
  while (last_heard().empty()) std::this_thread::yield();
  EXPECT_THAT(last_heard(), HasSubstr("store/default"));
  EXPECT_EQ(service.Classify(HamMessage(1), {}).error().exit_code, kBusy);
  EXPECT_EQ(Learn(service, HamMessage(1), Label::kHam).error().exit_code, kBusy);
  std::filesystem::remove(blocks);
  AwaitReady(service);
  EXPECT_EQ(Learn(service, HamMessage(1), Label::kHam), TeachResult::kNew);
  EXPECT_EQ(last_heard(), "ready");
}

}  // namespace
}  // namespace thresher::pipeline
