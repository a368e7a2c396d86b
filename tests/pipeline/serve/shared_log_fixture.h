// Services that follow one log in the memory of a test.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "pipeline/cluster/membership.h"
#include "pipeline/serve/shared_log.h"
#include "tests/pipeline/cluster/memory_log.h"
#include "tests/pipeline/serve/model_service_fixture.h"

namespace thresher::pipeline {

class SharedLogTest : public ModelServiceTest {
 protected:
  struct Served {
    MemoryLog* log = nullptr;  // the service's
    std::unique_ptr<ModelService> service;
  };
  // `snapshot_every`: of the settings. `prepare` gets the log before the service does.
  Served Serve(
      const std::string& store, uint64_t snapshot_every = 0,
      const std::function<void(MemoryLog&)>& prepare = [](MemoryLog&) {}) {
    Settings settings = SettingsOf(store);
    settings.cluster.stream = "mail";
    settings.cluster.patience = std::chrono::hours(1);  // who is cut off is told at once
    settings.cluster.snapshot_again = snapshot_again_;
    settings.cluster.digest_every = 4;
    settings.cluster.snapshot_every = snapshot_every;
    auto log = std::make_unique<MemoryLog>(stream_);
    prepare(*log);
    Served served{log.get(), nullptr};
    served.service = std::make_unique<ModelService>(
        settings, Ignore,
        ModelService::Parts{.shared = {.log = std::move(log), .on_change = [](const LogFigures&) {}}});
    AwaitReady(*served.service);
    return served;
  }
  // Teaches the model of a node that does not run something that is in no log.
  void Damage(const std::string& store) {
    const Settings settings = SettingsOf(store);
    MemoryLog log(stream_);
    SnapshotTaker snapshots([] { return true; });
    const auto member = OpenMember(ModelDirectory(settings), settings, "mail", log, snapshots);
    ASSERT_TRUE(member.has_value()) << member.error().message;
    tokenizer::Features features;
    member->model->identity().MakeTokenizer().Tokenize(SpamMessage(777), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE(member->model->Learn(features, {"", "damage"}, {Label::kHam, Evidence::kStream}).has_value());
    ASSERT_TRUE(member->model->Checkpoint().has_value());
  }
  static void Await(const std::function<bool()>& is_so) {
    while (!is_so()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // Until it has applied so many records, and the log has all that it was taught.
  static void AwaitRecords(const Served& served, uint64_t records) {
    Await([&] {
      const LogFigures now = *served.service->Log();
      return now.position >= records && now.outbox == 0 && now.trouble.empty();
    });
  }
  static LogDescription Describe(const Served& served) {
    return *Heard<LogDescription>([&](auto done) { served.service->DescribeLog(done); });
  }

  std::chrono::milliseconds snapshot_again_ = ClusterSettings().snapshot_again;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
};

}  // namespace thresher::pipeline
