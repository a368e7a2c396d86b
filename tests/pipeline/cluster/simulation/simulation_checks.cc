// What must be so in a simulation.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "tests/pipeline/cluster/simulation/simulation_run.h"

namespace thresher::pipeline {

void SimulationRun::Wrong(std::string what) {
  constexpr size_t kMost = 20;
  if (outcome_.wrong.size() < kMost)
    outcome_.wrong.push_back(
        fmt::format("{:.1f} s: {}", static_cast<double>(time_.now_us()) / kSecondUs, what));
}

void SimulationRun::CompareDigests(size_t i) {
  SimulatedNode& node = *hosts_[i].node;
  if (node.counts().found_to_differ > 0 && !hosts_[i].was_damaged)
    Wrong(fmt::format("node {} differs: {}", i, node.trouble()));
  for (const ModelDigest& each : node.NewDigests()) {
    if (node.is_damaged()) continue;
    const auto [found, is_new] = digests_.insert({each.record, each.digest});
    if (is_new || found->second == each.digest) continue;
    Wrong(fmt::format("after record {} the model of node {} is ({}), and that of another one was ({})",
                      each.record, i, each.digest, found->second));
  }
}

bool SimulationRun::IsSettled() const {
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const Host& host) {
    const SimulatedNode& node = *host.node;
    return node.is_running() && node.has_all_published() && !node.is_damaged() && node.trouble().empty() &&
           node.position() == servers_.records();
  });
}

void SimulationRun::CheckModel(size_t i, const LogTwin& twin, const std::string& digest) {
  SimulatedNode& node = *hosts_[i].node;
  const std::string own = node.model().Digest().value();
  if (own != digest)
    Wrong(fmt::format("in the end the model of node {} is ({}), and that of node 0 ({})", i, own, digest));
  const uint64_t examples = node.model().Inspect().log().last_seq;
  // A damaged model that was made again has no more than the others.
  if (examples != twin.examples)
    Wrong(fmt::format("node {} has {} examples, and should have {}", i, examples, twin.examples));
}

void SimulationRun::CheckEnd() {
  for (size_t i = 0; i < hosts_.size(); ++i) {
    const SimulatedNode& node = *hosts_[i].node;
    if (!node.is_running()) Wrong(fmt::format("node {} cannot begin", i));
    if (!node.is_running()) return;
    if (!node.trouble().empty() || node.position() != servers_.records() || !node.has_all_published() ||
        node.is_damaged())
      Wrong(fmt::format("node {} is at record {} of {}: {}", i, node.position(), servers_.records(),
                        node.trouble()));
  }
  LogTwin twin;
  servers_.stream()->RestoreRecords();
  for (const LogRecord& record : servers_.stream()->Read(0, servers_.records(), {}).records)
    twin.Take(record, hosts_[0].node->identity().Digest());
  for (const auto& [author, number] : acknowledged_) {
    if (!twin.done.contains({author, number}))
      Wrong(fmt::format("operation {} of node {:016x} was acknowledged, and is not in the log", number,
                        author));
  }
  const std::string digest = hosts_[0].node->model().Digest().value();
  for (size_t i = 0; i < hosts_.size(); ++i) CheckModel(i, twin, digest);
  const MessageHistory history = hosts_[0].node->model().Messages();
  for (const auto& [key, own] : twin.keys) {
    const auto expected = twin.labels.find(key);
    const auto found = history.LabelOf(own).value();
    if (found != (expected == twin.labels.end() ? std::nullopt : std::optional(expected->second)))
      Wrong(fmt::format("the models have another label for {}", key.first));
  }
}

}  // namespace thresher::pipeline
