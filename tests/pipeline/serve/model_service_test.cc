// A service and its twin, a model that is taught directly: the same verdicts, to the bit, and the same model.
#include "pipeline/serve/model_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/delivery/marks.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

constexpr int kTaught = 60;

Label LabelOfNumber(int i) { return i % 3 == 0 ? Label::kSpam : Label::kHam; }

// Calls that come back later, one after the other or all at once.
class Waiter {
 public:
  Service::OnTaught Listen() {
    return [this](const Result<Taught>& taught) {
      const std::lock_guard lock(mutex_);
      taught_.push_back(taught.map([](const Taught& each) { return each.result; }));
      changed_.notify_all();
    };
  }
  std::vector<Result<TeachResult>> Await(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return taught_.size() >= count; });
    return taught_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Result<TeachResult>> taught_;
};

class ModelServiceTest : public testing::Test {
 protected:
  Settings SettingsOf(const std::string& store) {
    Settings settings;
    settings.store_path = directory_ / store;
    return settings;
  }
  static void AwaitReady(const Service& service) {
    while (!service.Ready()) std::this_thread::yield();
  }
  static Result<TeachResult> Learn(Service& service, const std::string& message, Label label,
                                   const std::string& user = "") {
    Waiter waiter;
    service.Learn(message, user, {.label = label}, waiter.Listen());
    return waiter.Await(1).front();
  }
  // Of a model that a service owns.
  static tokenizer::MessageKey KeyOf(const Settings& settings, const std::string& message,
                                     const std::string& user) {
    const auto scorer = OpenScorer(ModelDirectory(settings), settings);
    EXPECT_TRUE(scorer.has_value()) << scorer.error().message;
    return (*scorer)->MakeKeyMaker().KeysOf(message, user).own;
  }
  // Weights and counts by text: ids differ between models.
  static std::map<std::string, std::pair<double, uint32_t>> WeightsOf(const Settings& settings) {
    std::map<std::string, std::pair<double, uint32_t>> weights;
    const auto model = OpenForReading(ModelDirectory(settings), settings);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    const auto vocabulary = model->Vocabulary();
    for (const VocabularyEntry& entry : *vocabulary) {
      const auto texts = model->Texts(std::span(&entry.id, 1));
      weights[texts->front()] = {entry.weight, entry.counts.ham + 1000 * entry.counts.spam};
    }
    return weights;
  }
  static void Ignore(const Result<void>&) {}

  TestDirectory directory_;
};

TEST_F(ModelServiceTest, EqualsAModelThatIsTaughtDirectly) {
  const Settings settings = SettingsOf("service");
  Settings twin_settings = SettingsOf("twin");
  auto twin = *OpenOrCreateModel(ModelDirectory(twin_settings), twin_settings, TeachingAccess(twin_settings));
  const Spool spool = SpoolOf(twin_settings, twin->identity().MakeIdSpace());
  tokenizer::Tokenizer tokenizer = twin->identity().MakeTokenizer();
  {
    ModelService service(settings, Ignore);
    AwaitReady(service);
    for (int i = 0; i < kTaught; ++i) {
      const std::string message = MessageNumber(i);
      const std::string user = i % 5 == 0 ? "alice" : "";
      tokenizer::Features features;
      tokenizer.Tokenize(message, tokenizer::Kind::kMail, &features, user);
      const auto judged = service.Classify(message, user);
      ASSERT_TRUE(judged) << judged.error().message;
      const auto score = twin->Classify(features);
      EXPECT_EQ(judged->score.margin, score->margin);
      EXPECT_EQ(judged->score.probability, score->probability);
      EXPECT_EQ(judged->verdict, settings.thresholds.Decide(score->probability));
      EXPECT_EQ(judged->key, KeyOf(settings, message, user));
      // It was classified before it is taught, which the model records.
      const tokenizer::MessageKeys keys = twin->identity().MakeKeyMaker().KeysOf(message, user);
      ASSERT_TRUE(spool.Keep(keys.own, features));
      ASSERT_EQ(Learn(service, message, LabelOfNumber(i), user), TeachResult::kNew);
      ASSERT_TRUE(Teach(*twin, spool, features, LabelOfNumber(i), keys));
    }
    EXPECT_EQ(Learn(service, MessageNumber(1), LabelOfNumber(1)), TeachResult::kKnown);
    EXPECT_TRUE(service.Stop());
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
    ModelService service(settings, Ignore);
    AwaitReady(service);
    Waiter waiter;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = t; i < kTaught; i += 4) {
          service.Learn(MessageNumber(i), "", {.label = LabelOfNumber(i)}, waiter.Listen());
          failed += service.Classify(MessageNumber(i), "") ? 0 : 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& taught : waiter.Await(kTaught)) EXPECT_EQ(taught, TeachResult::kNew);
    // A message that waited in the spool for feedback does so no more.
    EXPECT_EQ(Learn(service, SpamMessage(0), Label::kSpam), TeachResult::kKnown);
    EXPECT_EQ(service.Classify(HamMessage(1000), "")->verdict, Verdict::kHam);
  }
  EXPECT_EQ(failed, 0);
  const auto model = OpenForReading(ModelDirectory(settings), settings);
  EXPECT_EQ(model->taught().ham + model->taught().spam, static_cast<uint64_t>(kTaught));
}

TEST_F(ModelServiceTest, WhatStopFindsIsStillTaught) {
  const Settings settings = SettingsOf("store");
  Waiter waiter;
  {
    ModelService service(settings, Ignore);
    AwaitReady(service);
    for (int i = 0; i < kTaught; ++i)
      service.Learn(MessageNumber(i), "", {.label = LabelOfNumber(i)}, waiter.Listen());
    EXPECT_TRUE(service.Stop());
    EXPECT_EQ(Learn(service, SpamMessage(999), Label::kSpam).error().exit_code, kBusy);
  }
  for (const auto& taught : waiter.Await(kTaught)) EXPECT_EQ(taught, TeachResult::kNew);
}

TEST_F(ModelServiceTest, AFullQueueRefuses) {
  Settings settings = SettingsOf("store");
  settings.serve.queue = 2;
  ModelService service(settings, Ignore);
  AwaitReady(service);
  Waiter waiter;
  constexpr int kMany = 300;
  for (int i = 0; i < kMany; ++i)
    service.Learn(MessageNumber(i), "", {.label = LabelOfNumber(i)}, waiter.Listen());
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
  ModelService service(SettingsOf("store"), Ignore);
  AwaitReady(service);
  ASSERT_TRUE(Learn(service, SpamMessage(1), Label::kSpam));
  std::vector<bool> forgotten;
  std::mutex mutex;
  std::condition_variable changed;
  for (int i = 0; i < 2; ++i) {
    service.Forget(SpamMessage(1), "", [&](const Result<bool>& result) {
      const std::lock_guard lock(mutex);
      forgotten.push_back(result.value());
      changed.notify_all();
    });
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return forgotten.size() == 2; });
  EXPECT_EQ(forgotten, (std::vector<bool>{true, false}));
  lock.unlock();
  EXPECT_EQ(Learn(service, SpamMessage(1), Label::kSpam), TeachResult::kNew);
}

// A program wrote into the Subject what the daemon had said of the message.
TEST_F(ModelServiceTest, KnowsAMessageByTheKeyItWasDeliveredWith) {
  const Settings settings = SettingsOf("store");
  ModelService service(settings, Ignore);
  AwaitReady(service);
  const std::string message = SpamMessage(1);
  const auto judged = service.Classify(message, "");
  std::string delivered = Marked(message, MarksOf(*judged, {}), {});
  EXPECT_EQ(service.Classify(delivered, "")->score.margin, judged->score.margin);
  delivered.replace(delivered.find("Subject: "), 9, "Subject: maybe it is spam: ");
  EXPECT_NE(service.Classify(delivered, "")->key, judged->key);
  std::promise<std::string> digest;
  service.Learn(delivered, "", {.label = Label::kSpam},
                [&](const Result<Taught>& taught) { digest.set_value(taught.value().digest); });
  EXPECT_EQ(digest.get_future().get(), judged->key.digest);
  EXPECT_EQ(Learn(service, message, Label::kSpam), TeachResult::kKnown);
  std::promise<bool> forgotten;
  service.Forget(delivered, "", [&](const Result<bool>& result) { forgotten.set_value(result.value()); });
  EXPECT_TRUE(forgotten.get_future().get());
  EXPECT_EQ(Learn(service, message, Label::kSpam), TeachResult::kNew);
}

TEST_F(ModelServiceTest, ADamagedSpoolConcernsOneReply) {
  const Settings settings = SettingsOf("store");
  ModelService service(settings, Ignore);
  AwaitReady(service);
  const auto classify = [&] {
    const std::string key = service.Classify(SpamMessage(1), "")->key.digest;
    for (const auto& file : std::filesystem::directory_iterator(ModelDirectory(settings) / "spool"))
      std::filesystem::resize_file(file.path(), 20);
    return key;
  };
  const std::string key = classify();
  const auto feedback = [&](Label label) {
    Waiter waiter;
    service.Feedback({label, "spam1@pills.example", key}, "", waiter.Listen());
    return waiter.Await(1).front();
  };
  EXPECT_EQ(feedback(Label::kSpam).error().exit_code, kData);
  EXPECT_TRUE(service.Ready());
  EXPECT_EQ(Learn(service, SpamMessage(1), Label::kSpam), TeachResult::kNew);
  EXPECT_EQ(classify(), key);
  EXPECT_EQ(feedback(Label::kSpam), TeachResult::kKnown);
}

TEST_F(ModelServiceTest, FeedbackNamesAMessage) {
  ModelService service(SettingsOf("store"), Ignore);
  AwaitReady(service);
  const auto feedback = [&](const std::string& id, const std::string& key, const std::string& user) {
    Waiter waiter;
    service.Feedback({Label::kSpam, id, key}, user, waiter.Listen());
    return waiter.Await(1).front();
  };
  const std::string id = "spam1@pills.example";
  EXPECT_EQ(feedback(id, "", "").error().exit_code, kNoInput);
  const std::string key = service.Classify(SpamMessage(1), "alice")->key.digest;
  EXPECT_EQ(feedback(id, "", "").error().exit_code, kNoInput);  // it is Alice's
  EXPECT_EQ(feedback(id, "0000000000000000", "alice").error().exit_code, kNoInput);
  EXPECT_EQ(feedback(id, key, "alice"), TeachResult::kNew);
  EXPECT_EQ(feedback(id, "", "alice"), TeachResult::kKnown);
  EXPECT_EQ(Learn(service, SpamMessage(1), Label::kHam, "alice"), TeachResult::kCorrected);
  EXPECT_EQ(feedback(id, key, "alice"), TeachResult::kCorrected);
  EXPECT_TRUE(service.Ready());
}

TEST_F(ModelServiceTest, ExplainsAndCounts) {
  ModelService service(SettingsOf("store"), Ignore);
  AwaitReady(service);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Learn(service, MessageNumber(i), LabelOfNumber(i)));
  const auto ask = [](const auto& call) {
    std::promise<Result<std::string>> heard;
    call([&](const Result<std::string>& json) { heard.set_value(json); });
    return nlohmann::json::parse(heard.get_future().get().value());
  };
  const auto why = ask([&](const Service::OnJson& done) { service.Explain(SpamMessage(100), "", 3, done); });
  EXPECT_EQ(why.at("tokens").size(), 3U);
  EXPECT_EQ(why.at("margin"), service.Classify(SpamMessage(100), "")->score.margin);
  const auto vocabulary = ask([&](const Service::OnJson& done) { service.Vocabulary("subject", 2, done); });
  EXPECT_EQ(vocabulary.at("tokens").size(), 2U);
  EXPECT_EQ(vocabulary.at("tokens")[0].at("field"), "subject");
  const auto statistics = ask([&](const Service::OnJson& done) { service.Statistics(done); });
  EXPECT_EQ(statistics.at("ham"), 20);
  EXPECT_EQ(statistics.at("spam"), 10);
}

TEST_F(ModelServiceTest, UsersAreAsTheSettingsSay) {
  Settings settings = SettingsOf("store");
  ModelService service(settings, Ignore);
  AwaitReady(service);
  EXPECT_EQ(service.Classify(HamMessage(1), "alice")->key, KeyOf(settings, HamMessage(1), "alice"));
  EXPECT_EQ(service.Classify(HamMessage(1), "a/b").error().exit_code, kData);
  settings.serve.users = false;
  settings.user = "all";
  service.Reload(settings);
  EXPECT_EQ(service.Classify(HamMessage(1), "a/b")->key, KeyOf(settings, HamMessage(1), "all"));
}

TEST_F(ModelServiceTest, ReloadChangesThresholdsAndNotTheModel) {
  Settings settings = SettingsOf("store");
  ModelService service(settings, Ignore);
  AwaitReady(service);
  EXPECT_EQ(service.Classify(HamMessage(1), "")->verdict, Verdict::kUnsure);
  settings.thresholds = {.spam = 0.5, .ham = 0.1};
  settings.store_path = directory_ / "other";
  service.Reload(settings);
  EXPECT_EQ(service.Classify(HamMessage(1), "")->verdict, Verdict::kSpam);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "other"));
}

// A corrupt store is no reason to die: mail is refused for now, and goes on when somebody has repaired it.
TEST_F(ModelServiceTest, AModelThatCannotBeOpenedIsTriedAgain) {
  const Settings settings = SettingsOf("store");
  const std::string blocks = directory_.Write("store/default", "a file where the model should be");
  std::mutex mutex;
  std::vector<std::string> heard;
  ModelService service(settings, [&](const Result<void>& ready) {
    const std::lock_guard lock(mutex);
    heard.push_back(ready ? "ready" : ready.error().message);
  });
  const auto last_heard = [&] {
    const std::lock_guard lock(mutex);
    return heard.empty() ? "" : heard.back();
  };
  while (last_heard().empty()) std::this_thread::yield();
  EXPECT_THAT(last_heard(), HasSubstr("store/default"));
  EXPECT_EQ(service.Classify(HamMessage(1), "").error().exit_code, kBusy);
  EXPECT_EQ(Learn(service, HamMessage(1), Label::kHam).error().exit_code, kBusy);
  std::filesystem::remove(blocks);
  AwaitReady(service);
  EXPECT_EQ(Learn(service, HamMessage(1), Label::kHam), TeachResult::kNew);
  EXPECT_EQ(last_heard(), "ready");
}

}  // namespace
}  // namespace thresher::pipeline
