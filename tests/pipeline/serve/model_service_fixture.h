// A service of a model in a fresh store, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/opening/opening.h"
#include "pipeline/serve/model_service.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {

inline constexpr int kTaught = 60;

inline Label LabelOfNumber(int i) { return i % 3 == 0 ? Label::kSpam : Label::kHam; }

// Calls that come back later, one after the other or all at once.
class Waiter {
 public:
  Service::OnTaught Listen() {
    return [this](const Result<TaughtMessage>& taught) {
      const std::lock_guard lock(mutex_);
      taught_.push_back(taught.map([](const TaughtMessage& each) { return each.result; }));
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
    std::filesystem::create_directory(settings.store_path);
    return settings;
  }
  static void AwaitReady(const Service& service) {
    while (!service.Ready()) std::this_thread::yield();
  }
  // Makes no checkpoint by itself.
  static std::unique_ptr<ModelService> Started(const Settings& settings) {
    return Started(settings, {.until_checkpoint = std::chrono::hours(1)});
  }
  static std::unique_ptr<ModelService> Started(const Settings& settings, ModelService::Parts parts) {
    auto service = std::make_unique<ModelService>(settings, Ignore, std::move(parts));
    AwaitReady(*service);
    return service;
  }
  // What call(done) tells `done`.
  template <class T, class Call>
  static Result<T> Heard(const Call& call) {
    std::promise<Result<T>> heard;
    call([&](const Result<T>& told) { heard.set_value(told); });
    return heard.get_future().get();
  }
  static Result<TeachResult> Learn(Service& service, const std::string& message, Label label,
                                   const std::string& user = "") {
    return Heard<TaughtMessage>([&](auto done) { service.Learn(message, {user}, {.label = label}, done); })
        .map([](const TaughtMessage& taught) { return taught.result; });
  }
  static Result<TeachResult> Feedback(Service& service, const Reply& reply, const std::string& user = "") {
    return Heard<TaughtMessage>([&](auto done) { service.Feedback(reply, {user}, done); })
        .map([](const TaughtMessage& taught) { return taught.result; });
  }
  static Result<bool> Forget(Service& service, const std::string& message) {
    return Heard<ForgottenMessage>([&](auto done) { service.Forget(message, {}, done); })
        .map([](const ForgottenMessage& forgotten) { return forgotten.was_taught; });
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
    const auto vocabulary = model->vocabulary().All();
    for (const VocabularyEntry& entry : *vocabulary) {
      const auto texts = model->vocabulary().Texts(std::span(&entry.id, 1));
      weights[texts->front()] = {entry.weight, entry.counts.ham + 1000 * entry.counts.spam};
    }
    return weights;
  }
  static void Ignore(const Result<void>&) {}

  TestDirectory directory_;
};

}  // namespace thresher::pipeline
