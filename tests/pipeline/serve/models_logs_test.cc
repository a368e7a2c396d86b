// Daemons with many models that follow one log: models are equal, whichever are open when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "pipeline/serve/models.h"
#include "tests/pipeline/cluster/memory_log.h"
#include "tests/pipeline/serve/model_service_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

class ModelsLogsTest : public ModelServiceTest {
 protected:
  // One way for the logs of all models of a node.
  class NodesLog final : public MemoryLog {
   public:
    NodesLog(std::shared_ptr<MemoryStream> stream, const std::atomic<bool>& is_cut, std::atomic<int>& asked)
        : MemoryLog(std::move(stream)), is_cut_(is_cut), asked_(asked) {}

    Result<uint64_t> Last() override {
      ++asked_;
      return MemoryLog::Last();
    }

   protected:
    Result<void> Reach() override {
      is_cut_off = is_cut_.load();
      return MemoryLog::Reach();
    }

   private:
    const std::atomic<bool>& is_cut_;
    std::atomic<int>& asked_;
  };
  struct Node {
    std::atomic<bool> is_cut = false;
    std::atomic<int> asked = 0;  // for the last record, of any model
    std::unique_ptr<Models> models;
  };

  // Has one model open at a time.
  std::unique_ptr<Models> Serve(const std::string& store, Node& node) {
    Settings settings = SettingsOf(store);
    settings.serve.models = "domain";
    settings.serve.open_seconds = 600;
    settings.serve.open_models = 1;
    settings.cluster.stream = "mail";
    settings.cluster.patience = std::chrono::hours(1);  // who is cut off is told at once
    settings.spool_enabled = false;
    settings.durability = "os";
    const auto ignore = [](const std::string&, const Result<void>&) {};
    return std::make_unique<Models>(
        settings, Models::Hooks{.on_change = ignore, .on_close = ignore}, nullptr,
        LogsToFollow{.logs = [this, &node](const std::string& model) -> std::unique_ptr<OrderedLog> {
                       return std::make_unique<NodesLog>(StreamOf(model), node.is_cut, node.asked);
                     },
                     .on_change = [](const LogFigures&) {}});
  }
  std::shared_ptr<MemoryStream> StreamOf(const std::string& model) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<MemoryStream>& stream = streams_[model];
    if (!stream) stream = std::make_shared<MemoryStream>(numbers_);
    return stream;
  }
  // Of a model that has applied all records of its log.
  std::string DigestOf(Models& models, const std::string& model) {
    const uint64_t last = StreamOf(model == "default" ? "" : model)->Read(0, 0, {}).last;
    while (true) {
      const auto now =
          Heard<LogDescription>([&](auto done) { models.DescribeLog({.model = model}, std::move(done)); });
      if (now && now->figures.position == last) return now->digest;
      std::this_thread::yield();
    }
  }
  // Until the log has all that this node was taught.
  static void AwaitDelivery(Models& models) {
    while (models.Log()->outbox > 0) std::this_thread::yield();
  }

  static void Judge(Models& models, const std::string& user) {
    EXPECT_TRUE(models.Classify(SpamMessage(1000), {.user = user}).has_value());
  }
  // Until `user`'s model, which is judged by its image meanwhile, is opened.
  static void JudgeUntilOpened(Models& models, const std::string& user) {
    const uint64_t opened = models.figures().opened;
    while (models.figures().opened == opened) Judge(models, user);
  }

  std::mutex mutex_;
  std::shared_ptr<std::atomic<uint64_t>> numbers_ = std::make_shared<std::atomic<uint64_t>>(0);
  std::map<std::string, std::shared_ptr<MemoryStream>> streams_;
};

TEST_F(ModelsLogsTest, EachModelIsThatOfAllNodes) {
  Node node_one;
  Node node_two;
  const auto one = Serve("one", node_one);
  const auto two = Serve("two", node_two);
  for (int i = 0; i < 12; ++i) {
    Models& teacher = i % 2 == 0 ? *one : *two;
    const std::string user = i % 3 == 0 ? "joe" : i % 3 == 1 ? "joe@a.org" : "joe@b.org";
    ASSERT_EQ(Learn(teacher, MessageNumber(i), LabelOfNumber(i), user), TeachResult::kNew) << i;
  }
  for (const char* const model : {"default", "a.org", "b.org"}) {
    const std::string digest = DigestOf(*one, model);
    EXPECT_THAT(digest, HasSubstr("4 examples, "));
    EXPECT_EQ(DigestOf(*two, model), digest);
  }
  while (one->figures().closing > 0) std::this_thread::yield();
  EXPECT_EQ(one->figures().open, 1U);
  EXPECT_EQ(one->figures().images, 0U);
  const LogFigures now = *one->Log();
  EXPECT_EQ(now.applied, 12U);  // of open and closed ones
  EXPECT_EQ(now.stream, "mail");
  EXPECT_EQ(now.trouble, "");
  // One more record, which a node applies only if it has that model open.
  AwaitDelivery(*two);
  EXPECT_EQ(Learn(*two, MessageNumber(1), LabelOfNumber(1), "joe@a.org"), TeachResult::kKnown);
}

// Nobody asks for the models after the daemon was started again.
TEST_F(ModelsLogsTest, WhatIsTaughtWhileCutOffIsDeliveredAlsoIfItsModelIsClosed) {
  Node node_one;
  Node node_two;
  const auto two = Serve("two", node_two);
  {
    const auto one = Serve("one", node_one);
    for (const char* const user : {"joe@a.org", "joe@b.org", "joe@c.org"})
      ASSERT_EQ(Learn(*one, SpamMessage(1), Label::kSpam, user), TeachResult::kNew);
    node_one.is_cut = true;
    for (const char* const user : {"joe@a.org", "joe@b.org", "joe@c.org"})
      EXPECT_EQ(Learn(*one, HamMessage(1), Label::kHam, user), TeachResult::kWaiting);
    // Some are being closed and opened again meanwhile.
    while (one->Log()->outbox != 3 || one->Log()->trouble.find(".org: ") == std::string::npos)
      std::this_thread::yield();
  }
  node_one.is_cut = false;
  const auto one = Serve("one", node_one);
  for (const char* const model : {"a.org", "b.org", "c.org"}) {
    while (StreamOf(model)->Read(0, 0, {}).last < 4) std::this_thread::yield();
    EXPECT_EQ(Learn(*two, HamMessage(1), Label::kHam, std::string("joe@") + model), TeachResult::kKnown);
  }
  AwaitDelivery(*one);
}

TEST_F(ModelsLogsTest, AClosedModelIsOpenedOnlyIfItsLogHasMore) {
  Node node_one;
  Node node_two;
  {
    const auto one = Serve("one", node_one);
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(Learn(*one, MessageNumber(i), LabelOfNumber(i), "joe@a.org"), TeachResult::kNew);
    ASSERT_EQ(Learn(*one, SpamMessage(1), Label::kSpam, "joe@b.org"), TeachResult::kNew);
    while (one->figures().closed == 0) std::this_thread::yield();
    const uint64_t opened = one->figures().opened;
    for (int asked = node_one.asked; node_one.asked < asked + 2;) Judge(*one, "joe@a.org");
    EXPECT_EQ(one->figures().opened, opened);
    EXPECT_EQ(one->figures().images, 1U);
  }
  // Nor after a restart, while nothing is new.
  const auto one = Serve("one", node_one);
  for (int asked = node_one.asked; node_one.asked < asked + 2;) Judge(*one, "joe@a.org");
  EXPECT_EQ(one->figures().opened, 0U);
  const auto two = Serve("two", node_two);
  ASSERT_EQ(Learn(*two, SpamMessage(21), Label::kSpam, "joe@a.org"), TeachResult::kNew);
  JudgeUntilOpened(*one, "joe@a.org");
  EXPECT_EQ(DigestOf(*one, "a.org"), DigestOf(*two, "a.org"));
}

TEST_F(ModelsLogsTest, AModelThatWasTaughtBeforeIsOpenedOnceOnly) {
  Settings settings = SettingsOf("one");
  settings.model = "a.org";
  {
    const auto model = OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings));
    tokenizer::Features features;
    (*model)->identity().MakeTokenizer().Tokenize(SpamMessage(500), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE((*model)->Learn(features, {"m", "k"}, {Label::kSpam, Evidence::kStream}).has_value());
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }
  Node node;
  const auto margin = [](Models& models) {
    return models.Classify(SpamMessage(500), {.user = "joe@a.org"}).value().score.margin;
  };
  double opened = 0;
  {
    const auto one = Serve("one", node);
    opened = margin(*one);
    EXPECT_EQ(one->figures().opened, 1U);
  }
  const auto one = Serve("one", node);
  EXPECT_EQ(margin(*one), opened);
  EXPECT_EQ(one->figures().opened, 0U);
}

TEST_F(ModelsLogsTest, AClosedModelJudgesWhileItsLogCannotBeReached) {
  Node node_one;
  Node node_two;
  {
    const auto one = Serve("one", node_one);
    ASSERT_EQ(Learn(*one, SpamMessage(1), Label::kSpam, "joe@a.org"), TeachResult::kNew);
  }
  const auto two = Serve("two", node_two);
  ASSERT_EQ(Learn(*two, SpamMessage(2), Label::kSpam, "joe@a.org"), TeachResult::kNew);
  node_one.is_cut = true;
  const auto one = Serve("one", node_one);
  for (int asked = node_one.asked; node_one.asked < asked + 2;) Judge(*one, "joe@a.org");
  EXPECT_EQ(one->figures().opened, 0U);
  node_one.is_cut = false;
  JudgeUntilOpened(*one, "joe@a.org");
  EXPECT_EQ(DigestOf(*one, "a.org"), DigestOf(*two, "a.org"));
}

// As an administrator does, with a backup of another node.
TEST_F(ModelsLogsTest, AModelThatWasPutInThePlaceOfAClosedOneIsOpened) {
  Node node_one;
  Node node_two;
  // The first node is the last that is taught: its closed model has the whole log, and is not opened for
  // that.
  for (const auto& [store, node] : {std::pair("two", &node_two), std::pair("one", &node_one)}) {
    const auto models = Serve(store, *node);
    ASSERT_TRUE(Learn(*models, SpamMessage(1), Label::kSpam, "joe@a.org").has_value());
  }
  const auto one = Serve("one", node_one);
  Judge(*one, "joe@a.org");
  EXPECT_EQ(one->figures().opened, 0U);
  std::filesystem::remove_all(directory_ / "one/a.org");
  std::filesystem::copy(directory_ / "two/a.org", directory_ / "one/a.org",
                        std::filesystem::copy_options::recursive);
  Judge(*one, "joe@a.org");
  EXPECT_EQ(one->figures().opened, 1U);
}

}  // namespace
}  // namespace thresher::pipeline
