// The models of one daemon: which one is asked, which are open, and that closing one loses nothing.
#include "pipeline/serve/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/pipeline/serve/model_service_fixture.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ModelsTest : public ModelServiceTest {
 protected:
  Settings SettingsOfMany(const std::string& store) {
    Settings settings = SettingsOf(store);
    settings.serve.models = "domain";
    settings.serve.open_seconds = 600;  // as long as it takes
    settings.spool_enabled = false;
    return settings;
  }
  static std::unique_ptr<Models> Made(const Settings& settings) {
    const auto ignore = [](const std::string&, const Result<void>&) {};
    return std::make_unique<Models>(settings, Models::Hooks{.on_change = ignore, .on_close = ignore});
  }
  static ModelFigures WhenNoneIsClosing(const Models& models) {
    while (models.figures().closing > 0) std::this_thread::yield();
    return models.figures();
  }
  // Of the message, as this user's.
  static double MarginOf(Models& models, const std::string& user) {
    const auto judged = models.Classify(SpamMessage(700), {user});
    EXPECT_TRUE(judged.has_value()) << judged.error().message;
    return judged ? judged->score.margin : 0;
  }
  static void TeachSome(Models& models, const std::string& user, int begin, int end) {
    for (int i = begin; i < end; ++i)
      EXPECT_EQ(Learn(models, MessageNumber(i), LabelOfNumber(i), user), TeachResult::kNew) << user;
  }
  static uint64_t Taught(Models& models, const std::string& user) {
    const auto counts = Heard<ModelCounts>([&](auto done) { models.Counts({user}, done); });
    EXPECT_TRUE(counts.has_value()) << counts.error().message;
    return counts ? counts->taught.ham + counts->taught.spam : 0;
  }
};

TEST_F(ModelsTest, EachDomainHasItsOwn) {
  const auto models = Made(SettingsOfMany("store"));
  for (int i = 0; i < 36; ++i) {
    const bool is_spam = i % 2 == 0;
    const std::string message = is_spam ? SpamMessage(i) : HamMessage(i);
    ASSERT_TRUE(Learn(*models, message, is_spam ? Label::kSpam : Label::kHam, "ann@One.org"));
    ASSERT_TRUE(Learn(*models, message, is_spam ? Label::kHam : Label::kSpam, "bob@two.org"));
  }
  EXPECT_GT(models->Classify(SpamMessage(700), {"cid@one.org"})->score.probability, 0.9);
  EXPECT_LT(models->Classify(SpamMessage(700), {"cid@two.org"})->score.probability, 0.1);
  EXPECT_LT(models->Classify(SpamMessage(700), {.model = "two.org"})->score.probability, 0.1);
  EXPECT_EQ(models->Classify(SpamMessage(700), {"cid"})->verdict, Verdict::kUnsure);
  EXPECT_EQ(models->Classify(SpamMessage(700), {.model = "../one.org"}).error().exit_code, kData);
  EXPECT_TRUE(fs::exists(directory_ / "store/default/db"));
}

TEST_F(ModelsTest, ThoseNotUsedForLongestAreClosedAndLoseNothing) {
  Settings settings = SettingsOfMany("store");
  settings.serve.open_models = 1;
  const std::vector<std::string> users = {"a@a", "b@b", "c@c"};
  const auto models = Made(settings);
  for (int round = 0; round < 3; ++round) {
    for (const std::string& user : users) {
      TeachSome(*models, user, 8 * round, 8 * round + 8);
      WhenNoneIsClosing(*models);  // what is only about to be closed would be taken back
    }
  }
  ModelFigures figures = WhenNoneIsClosing(*models);
  EXPECT_EQ(figures.open, 1U);
  EXPECT_EQ(figures.opened, 9U);
  for (const std::string& user : users) EXPECT_EQ(Taught(*models, user), 24U);
  // An image says the same as the model that it is of.
  const double margin = MarginOf(*models, "c@c");
  WhenNoneIsClosing(*models);
  EXPECT_EQ(Taught(*models, "a@a"), 24U);
  figures = WhenNoneIsClosing(*models);
  EXPECT_EQ(MarginOf(*models, "c@c"), margin);
  EXPECT_EQ(models->figures().opened, figures.opened);
  EXPECT_EQ(models->figures().images, 1U);
}

// As /metrics does. It would wait for a model that waits until another one is closed, and forbid that.
TEST_F(ModelsTest, WhoAsksForFiguresDoesNotWaitForAModelThatWaitsForRoom) {
  Settings settings = SettingsOfMany("store");
  settings.serve.open_models = 1;
  settings.serve.open_seconds = 60;
  const auto models = Made(settings);
  std::promise<void> may_go_on;
  const std::shared_future<void> go_on = may_go_on.get_future().share();
  // They fill the room: each is closed when who taught it has been told.
  for (const char* user : {"a@a", "b@b", "c@c", "d@d"})
    models->Learn(HamMessage(1), {user}, {.label = Label::kHam}, [go_on](const auto&) { go_on.wait(); });
  std::thread teaches([&] { TeachSome(*models, "e@e", 0, 1); });
  while (models->figures().images == 0) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {
    models->waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  may_go_on.set_value();
  teaches.join();
}

TEST_F(ModelsTest, MemoryIsBoundedAsWell) {
  Settings settings = SettingsOfMany("store");
  settings.serve.models_bytes = 1;
  const auto models = Made(settings);
  for (const char* user : {"a@a", "b@b", "c@c"}) TeachSome(*models, user, 0, 1);
  while (models->figures().open > 1) std::this_thread::yield();
  EXPECT_EQ(Taught(*models, "a@a"), 1U);
}

TEST_F(ModelsTest, ImagesJudgeIfTheyAreOfAllThatWasTaught) {
  const Settings settings = SettingsOfMany("store");
  TeachSome(*Made(settings), "a@a", 0, 30);
  const fs::path model = directory_ / "store/a";
  const fs::path older = directory_ / "older";
  fs::copy(model / "image", older);
  double margin = 0;
  {
    const auto models = Made(settings);
    const double before = MarginOf(*models, "a@a");
    EXPECT_EQ(models->figures().images, 1U);
    EXPECT_EQ(models->figures().opened, 0U);
    EXPECT_EQ(Learn(*models, SpamMessage(701), Label::kHam, "a@a"), TeachResult::kNew);
    margin = MarginOf(*models, "a@a");
    EXPECT_NE(margin, before);
    EXPECT_EQ(models->figures().opened, 1U);
  }
  // As a daemon that was killed leaves it: an older image, and no note.
  fs::remove(model / "image.changes");
  fs::copy(older, model / "image", fs::copy_options::overwrite_existing);
  fs::remove(model / "logs");
  const auto after = Made(settings);
  EXPECT_EQ(MarginOf(*after, "a@a"), margin);
  EXPECT_EQ(after->figures().opened, 1U);
}

// As `thresher rebuild` and others do, which do not ask the daemon.
TEST_F(ModelsTest, AnImageThatAnotherWriterReplacedIsReadAgain) {
  const Settings settings = SettingsOfMany("store");
  TeachSome(*Made(settings), "a@a", 0, 30);
  const auto models = Made(settings);
  const double before = MarginOf(*models, "a@a");
  double margin = 0;
  {
    const auto others = Made(settings);
    EXPECT_EQ(Learn(*others, SpamMessage(701), Label::kHam, "a@a"), TeachResult::kNew);
    margin = MarginOf(*others, "a@a");
    EXPECT_EQ(MarginOf(*models, "a@a"), before);
  }
  EXPECT_NE(margin, before);
  EXPECT_EQ(MarginOf(*models, "a@a"), margin);
  EXPECT_EQ(models->figures().opened, 0U);
}

TEST_F(ModelsTest, OneThatCannotBeOpenedCostsItsOwnRequests) {
  const Settings settings = SettingsOfMany("store");
  directory_.Write("store/bad", "a file where the model should be");
  fs::create_directory_symlink(directory_ / "store", directory_ / "store/link");
  const auto models = Made(settings);
  EXPECT_EQ(models->Classify(HamMessage(1), {"a@bad"}).error().exit_code, kBusy);
  EXPECT_EQ(Learn(*models, HamMessage(1), Label::kHam, "a@bad").error().exit_code, kBusy);
  const auto by_link = models->Classify(HamMessage(1), {"a@link"});
  ASSERT_FALSE(by_link);
  EXPECT_THAT(by_link.error().message, HasSubstr("is a link"));
  EXPECT_TRUE(models->Ready().has_value());
  TeachSome(*models, "a@good", 0, 1);
}

TEST_F(ModelsTest, SoManyAreMadeAndNoMore) {
  Settings settings = SettingsOfMany("store");
  settings.serve.most_models = 2;
  const auto models = Made(settings);
  TeachSome(*models, "a@a", 0, 1);
  TeachSome(*models, "b@b", 0, 1);
  const auto third = models->Classify(HamMessage(1), {"c@c"});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().exit_code, kBusy);
  EXPECT_THAT(third.error().message, HasSubstr("serve.most_models"));
  EXPECT_FALSE(fs::exists(directory_ / "store/c"));
  EXPECT_EQ(Taught(*models, "a@a"), 1U);
}

TEST_F(ModelsTest, WhatIsRefusedMakesNone) {
  Settings settings = SettingsOfMany("store");
  const auto learn = [](Models& models, const Whose& whose) {
    const auto taught = Heard<TaughtMessage>(
        [&](auto done) { models.Learn(HamMessage(1), whose, {.label = Label::kHam}, done); });
    return taught ? 0 : taught.error().exit_code;
  };
  const auto exists = [&](const std::string& name) { return fs::exists(directory_ / ("store/" + name)); };
  const auto models = Made(settings);
  const std::string long_user = std::string(80, 'x') + "@a.org";
  for (const std::string& user : {long_user, std::string("a/b@a.org")}) {
    EXPECT_EQ(learn(*models, {user}), kData) << user;
    EXPECT_EQ(models->Classify(HamMessage(1), {.user = user, .insists = true}).error().exit_code, kData);
  }
  // Nor does who asks for it next.
  const auto counts = Heard<ModelCounts>([&](auto done) { models->Counts({.model = "a.org"}, done); });
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().exit_code, kNoInput);
  EXPECT_FALSE(exists("a.org"));
  settings.serve.users = false;
  const auto without_users = Made(settings);
  EXPECT_EQ(learn(*without_users, {.user = "ann@b.org", .insists = true}), kData);
  EXPECT_FALSE(exists("b.org"));
  EXPECT_EQ(learn(*without_users, {"ann@b.org"}), 0);
  EXPECT_TRUE(exists("b.org"));
}

// They are counted again after a while, and those that are made meanwhile are counted at once.
TEST_F(ModelsTest, HowManyThereAreIsNotRememberedForGood) {
  Settings settings = SettingsOfMany("store");
  settings.serve.most_models = 1;
  fs::create_directory(directory_ / "store/other");
  auto models = Made(settings);
  EXPECT_EQ(models->Classify(HamMessage(1), {"a@a"}).error().exit_code, kBusy);
  fs::remove(directory_ / "store/other");
  while (!models->Classify(HamMessage(1), {"a@a"})) std::this_thread::yield();
  const auto second = models->Classify(HamMessage(1), {"b@b"});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("serve.most_models"));
  // What is there is served, however many there are.
  models.reset();
  fs::create_directory(directory_ / "store/other");
  EXPECT_TRUE(Made(settings)->Classify(HamMessage(1), {"a@a"}).has_value());
}

TEST_F(ModelsTest, ToForgetAllOfAUserIsToForgetAllOfTheModelOfOneUser) {
  Settings settings = SettingsOfMany("store");
  settings.serve.models = "user";
  const auto models = Made(settings);
  for (const char* const user : {"ann", "bob", ""}) TeachSome(*models, user, 0, 6);
  const auto forget_all = [&](const Whose& whose) {
    return Heard<ForgottenMessages>([&](auto done) { models->ForgetAllOf(whose, done); });
  };
  // Nobody's model, and that of somebody else.
  for (const Whose& whose : {Whose{}, Whose{"ann", "bob"}, Whose{"ann", "default"}, Whose{"", "ann"}})
    EXPECT_EQ(forget_all(whose).error().exit_code, kData) << whose.user << " " << whose.model;
  const auto forgotten = forget_all({"Ann"});
  ASSERT_TRUE(forgotten) << forgotten.error().message;
  EXPECT_EQ(forgotten->messages, 6U);
  EXPECT_EQ(forget_all({"ann"}).error().message,
            "no message was taught here, or it has expired from the log");
  EXPECT_EQ(forget_all({"bob", "bob"})->messages, 6U);
  EXPECT_EQ(Learn(*models, MessageNumber(0), Label::kSpam, ""), TeachResult::kKnown);
}

// While others learn in the same models and are closed all the time.
TEST_F(ModelsTest, ManyAtTheSameTime) {
  Settings settings = SettingsOfMany("store");
  settings.serve.open_models = 1;
  const auto models = Made(settings);
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&models, thread] {
      for (int i = 0; i < 8; ++i) {
        const std::string user = "u@" + std::to_string((thread + i) % 4);
        const auto taught = Learn(*models, MessageNumber(100 * thread + i), Label::kHam, user);
        EXPECT_EQ(taught, TeachResult::kNew);
        EXPECT_TRUE(models->Classify(HamMessage(i), {user}).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += Taught(*models, "u@" + std::to_string(i));
  EXPECT_EQ(sum, 24U);
  EXPECT_TRUE(models->Stop().has_value());
}

}  // namespace
}  // namespace thresher::pipeline
