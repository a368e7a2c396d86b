// What a daemon knows of a model that takes long to be opened.
#include "pipeline/serve/model_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>

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

}  // namespace
}  // namespace thresher::pipeline
