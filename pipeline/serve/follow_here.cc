#include "pipeline/serve/follow_here.h"

#include <chrono>
#include <thread>
#include <utility>

#include "pipeline/cluster/nats_log.h"
#include "pipeline/model/store_error.h"
#include "storage/private_directory.h"

namespace thresher::pipeline {
namespace {

constexpr std::chrono::milliseconds kLookAgain{10};

// A new model may be fetched from the servers, which takes as long as it takes; one that cannot be opened is
// tried again until `patience` is over.
Result<void> AwaitModel(ModelService& service, std::chrono::duration<double> patience) {
  const auto begin = std::chrono::steady_clock::now();
  while (!service.AwaitFirstOpening(std::chrono::seconds(1))) {
  }
  Result<void> ready = service.Ready();
  while (!ready && ready.error().exit_code == kBusy && std::chrono::steady_clock::now() - begin < patience) {
    std::this_thread::sleep_for(kLookAgain);
    ready = service.Ready();
  }
  return ready;
}

// Until it has applied record `last`, or cannot go on.
void CatchUp(const ModelService& service, uint64_t last) {
  const auto can_go_on = [](const LogFigures& now) { return now.trouble.empty() && now.differs.empty(); };
  for (auto now = service.Log(); now->position < last && can_go_on(*now); now = service.Log())
    std::this_thread::sleep_for(kLookAgain);
}

}  // namespace

Result<std::unique_ptr<ModelService>> FollowHere(const Settings& settings) {
  if (settings.serve.models != "one") {
    return tl::unexpected(Error{
        kBusy,
        "no daemon is there, and which of several models of a log is meant, only `thresher serve` knows "
        "(serve.models): start it"});
  }
  const auto logs = MakeNatsLogs(settings.cluster);
  if (!logs) return tl::unexpected(logs.error());
  if (auto made = storage::MakePrivateDirectory(settings.store_path); !made)
    return StoreFailure(made.error());
  const auto last = (*logs)("")->Last();
  auto service = std::make_unique<ModelService>(
      settings, [](const Result<void>&) {},
      ModelService::Parts{.shared = {.log = (*logs)(""), .on_change = [](const LogFigures&) {}}});
  if (auto ready = AwaitModel(*service, std::chrono::duration<double>(settings.wait_seconds)); !ready)
    return tl::unexpected(ready.error());
  if (last) CatchUp(*service, *last);
  return service;
}

}  // namespace thresher::pipeline
