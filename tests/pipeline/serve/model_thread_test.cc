// What a daemon knows of a model that takes long to be opened.
#include "pipeline/serve/model_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "pipeline/opening/opening.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

TEST(ModelThread, WhoWaitsForTheFirstOpeningCanSayThatItTakesLong) {
  std::promise<void> may_fail;
  const std::shared_future<void> awaited = may_fail.get_future().share();
  ModelThread thread({.open = [awaited]() -> Result<std::unique_ptr<Model>> {
                        awaited.wait();
                        return tl::unexpected(Error{kBusy, "there is none"});
                      },
                      .on_open = [](Model&) { return Result<void>(); },
                      .on_change = [](const Result<void>&) {}},
                     /*longest_queue=*/1);
  EXPECT_FALSE(thread.AwaitFirstOpening(std::chrono::milliseconds(1)));
  may_fail.set_value();
  while (!thread.AwaitFirstOpening(std::chrono::seconds(1))) continue;
  EXPECT_EQ(thread.Ready().error().message, "there is none");
}

// What is wrong with the store is no fault of the message that was to be taught.
TEST(ModelThread, ADamagedStoreIsAFailureHere) {
  const TestDirectory directory;
  Settings settings;
  settings.store_path = directory / "store";
  ModelThread thread(
      {.open =
           [&] { return OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings)); },
       .on_open = [](Model&) { return Result<void>(); },
       .on_change = [](const Result<void>&) {}},
      /*longest_queue=*/1);
  std::promise<Result<void>> done;
  thread.Post({.run = [](Model&) -> Result<void> {
                 return tl::unexpected(Error{kData, "it is damaged"});
               },
               .done = [&](const Result<void>& sound) { done.set_value(sound); }});
  const Result<void> sound = done.get_future().get();
  EXPECT_EQ(sound.error().exit_code, kIo);
  EXPECT_EQ(sound.error().message, "it is damaged");
}

// Not when nobody asks any more.
TEST(ModelThread, JobsThatTeachNothingDoNotPutTheCheckpointOff) {
  const TestDirectory directory;
  Settings settings;
  settings.store_path = directory / "store";
  std::vector<uint64_t> told;
  ModelThread thread(
      {.open =
           [&] { return OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings)); },
       .on_open = [](Model&) { return Result<void>(); },
       .on_checkpoint =
           [&](Model& model) {
             told.push_back(model.Inspect().log().checkpoint_seq);
             return Result<void>();
           },
       .on_change = [](const Result<void>&) {}},
      /*longest_queue=*/1);
  const auto do_now = [&](const std::function<Result<void>(Model&)>& run) {
    std::promise<Result<void>> done;
    thread.Post({.run = run, .done = [&](const Result<void>& sound) { done.set_value(sound); }});
    return done.get_future().get();
  };
  ASSERT_TRUE(do_now([](Model& model) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize("Subject: a\n\nwords\n", tokenizer::Kind::kMail, &features);
    return model.Learn(features, {"id", "key"}, {Label::kHam, Evidence::kArchive}).map([](const Learned&) {});
  }));
  LogPosition log{.last_seq = 1};
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (log.checkpoint_seq == 0 && std::chrono::steady_clock::now() < give_up) {
    ASSERT_TRUE(do_now([&](Model& model) {
      log = model.Inspect().log();
      return Result<void>();
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(log.checkpoint_seq, log.last_seq);
  EXPECT_EQ(told, (std::vector<uint64_t>{0, 1}));
}

}  // namespace
}  // namespace thresher::pipeline
