#include "tests/pipeline/cluster/simulation/simulation.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "tests/pipeline/cluster/simulation/simulation_run.h"
#include "tests/pipeline/messages.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using Pace = SimulatedNode::Pace;

constexpr int64_t kTryAgainUs = 500 * kMillisecondUs;
constexpr int64_t kReadForUs = kSecondUs;
constexpr int64_t kLongestEndUs = 400 * kSecondUs;  // for all nodes to have everything, once nothing fails

uint64_t DigestEvery(const Simulation& simulation) { return simulation.messages / 40 + 1; }

// The planted defect of this node.
Planted PlantedIn(const Simulation& simulation, size_t i) {
  const bool is_in_all = simulation.planted == Planted::kAllForgetAuthors ||
                         simulation.planted == Planted::kLosesOutbox ||
                         simulation.planted == Planted::kGivesWrongModel;
  return is_in_all || i == 1 ? simulation.planted : Planted::kNothing;
}

}  // namespace

SimulationRun::SimulationRun(const Simulation& simulation, const std::filesystem::path& dir)
    : simulation_(simulation),
      servers_(time_, simulation.seed),
      // Time enough for meetings, snapshots and absences, however many nodes there are.
      end_us_(200 * kSecondUs),
      hosts_(simulation.nodes) {
  for (size_t i = 0; i < hosts_.size(); ++i) {
    const SimulatedNode::Options options{.id = XXH3_64bits_withSeed(&i, sizeof i, simulation.seed),
                                         .digest_every = DigestEvery(simulation),
                                         .snapshot_every = std::max<uint64_t>(1, simulation.messages / 8),
                                         .planted = PlantedIn(simulation, i)};
    hosts_[i].node = std::make_unique<SimulatedNode>(dir / fmt::format("node{}", i), options, servers_);
  }
  servers_.on_record = [this](uint64_t seq) { WakeReaders(seq); };
}

void SimulationRun::Trace(uint64_t what, uint64_t who, uint64_t value) {
  const uint64_t event[] = {static_cast<uint64_t>(time_.now_us()), what, who, value};
  outcome_.trace = XXH3_64bits_withSeed(event, sizeof event, outcome_.trace);
}

// ---- nodes

void SimulationRun::BeginNode(size_t i) {
  Host& host = hosts_[i];
  if (!host.is_up || host.node->is_running()) return;
  if (!host.node->Start()) {
    time_.After(5 * kSecondUs, [this, i] { BeginNode(i); });
    return;
  }
  Trace(1, i, host.node->position());
  ReadLater(i, Delay());
  PublishLater(i, Delay());
}

// Killed; it begins again after a while.
void SimulationRun::EndNode(size_t i, int64_t down_us) {
  Host& host = hosts_[i];
  if (!host.is_up) return;
  host.is_up = host.is_waiting = false;
  ++host.reading;
  host.node->Kill();
  Trace(2, i, 0);
  time_.After(down_us, [this, i] {
    hosts_[i].is_up = true;
    BeginNode(i);
  });
}

void SimulationRun::ReadLater(size_t i, int64_t us) {
  const uint64_t reading = ++hosts_[i].reading;
  hosts_[i].is_waiting = false;
  time_.After(us, [this, i, reading] {
    if (hosts_[i].reading == reading) Read(i);
  });
}

void SimulationRun::Read(size_t i) {
  Host& host = hosts_[i];
  const bool dies = !servers_.is_calm && servers_.Happens(3.0 / static_cast<double>(simulation_.messages));
  const Pace pace = host.node->Read(dies ? std::optional(servers_.Below(2)) : std::nullopt);
  CompareDigests(i);
  Trace(3, i, host.node->position());
  if (pace == Pace::kDied) {
    ++outcome_.kills_midway;
    return EndNode(i, Delay());
  }
  ReadLater(i, pace == Pace::kAtOnce ? Delay() : pace == Pace::kLater ? kTryAgainUs : kReadForUs);
  host.is_waiting = pace == Pace::kNothingNew;
}

void SimulationRun::WakeReaders(uint64_t seq) {
  Trace(4, seq, 0);
  for (size_t i = 0; i < hosts_.size(); ++i) {
    if (hosts_[i].is_waiting) ReadLater(i, Delay());
  }
}

void SimulationRun::PublishLater(size_t i, int64_t us) {
  if (std::exchange(hosts_[i].is_publishing, true)) return;
  time_.After(us, [this, i] {
    hosts_[i].is_publishing = false;
    if (hosts_[i].node->is_running()) Publish(i);
  });
}

void SimulationRun::Publish(size_t i) {
  const Pace pace = hosts_[i].node->Publish();
  if (pace != Pace::kNothingNew) PublishLater(i, pace == Pace::kAtOnce ? Delay() : kTryAgainUs);
}

// ---- users

// One of the messages that users teach, with all but its label. The first node that runs reads it for all.
const Operation& SimulationRun::Message(uint64_t number) {
  const auto known = messages_.find(number);
  if (known != messages_.end()) return known->second;
  const auto host =
      std::find_if(hosts_.begin(), hosts_.end(), [](const Host& h) { return h.node->is_running(); });
  const ModelIdentity& identity = host->node->model().identity();
  const std::string message = MessageNumber(static_cast<int>(number));
  tokenizer::Features features;
  identity.MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
  Operation operation;
  operation.keys = identity.MakeKeyMaker().KeysOf(message);
  tokenizer::EncodeFeatures(features, identity.MakeIdSpace(), &operation.features);
  return messages_[number] = operation;
}

void SimulationRun::TeachLater() {
  if (taught_ == simulation_.messages || servers_.is_calm) return;
  const auto mean_us = end_us_ / static_cast<int64_t>(simulation_.messages);
  time_.After(std::min(servers_.Around(mean_us), end_us_ - time_.now_us()), [this] {
    Host& host = hosts_[servers_.Below(hosts_.size())];
    if (host.node->is_running()) Teach(host);
    TeachLater();
  });
}

void SimulationRun::Teach(Host& host) {
  ++taught_;
  const uint64_t number = servers_.Below(simulation_.messages / 10 + 3);
  Operation operation = Message(number);
  const bool is_usual = !servers_.Happens(.15);
  operation.label = (number % 3 == 0) == is_usual ? Label::kSpam : Label::kHam;
  operation.is_reply = servers_.Happens(.5);
  // Clocks of machines differ.
  operation.time_us = servers_.clock_us() - kSecondUs;
  operation.time_us += servers_.Around(kSecondUs);
  if (servers_.Happens(.02)) {
    operation.act = Act::kForget;
    operation.features.clear();
  }
  const auto i = static_cast<size_t>(&host - hosts_.data());
  if (host.node->Submit(&operation)) {
    if (!acknowledged_.insert({operation.author, operation.number}).second)
      Wrong(fmt::format("node {} has two operations of number {}", i, operation.number));
    PublishLater(i, Delay());
  } else {
    ++outcome_.refused;
  }
}

SimulationOutcome SimulationRun::Do() {
  // The first ones make the log; the last fifth comes later.
  for (size_t i = 0; i < hosts_.size(); ++i) {
    const bool is_late = i > 1 && i >= hosts_.size() - hosts_.size() / 5;
    outcome_.late_nodes += is_late ? 1 : 0;
    time_.After(is_late ? SomeTime() : static_cast<int64_t>(i) * kMillisecondUs, [this, i] {
      hosts_[i].is_up = true;
      BeginNode(i);
    });
  }
  PlanFaults();
  TeachLater();
  time_.RunUntil(end_us_);
  EndFaults();
  // A model that was damaged last is compared after records that come later.
  for (uint64_t i = 0; i < 2 * DigestEvery(simulation_); ++i) {
    time_.RunUntil(time_.now_us() + kSecondUs);
    Host& host = hosts_[servers_.Below(hosts_.size())];
    if (host.node->is_running()) Teach(host);
  }
  while (!IsSettled() && time_.now_us() < end_us_ + kLongestEndUs) time_.RunUntil(time_.now_us() + kSecondUs);
  CheckEnd();
  for (const Host& host : hosts_) {
    const SimulatedNode::Counts& of = host.node->counts();
    SimulatedNode::Counts& sum = outcome_.counts;
    sum.applied += of.applied;
    sum.duplicates += of.duplicates;
    sum.foreign += of.foreign;
    sum.given += of.given;
    sum.taken += of.taken;
    sum.found_to_differ += of.found_to_differ;
  }
  outcome_.records = servers_.records();
  outcome_.virtual_seconds = static_cast<double>(time_.now_us()) / kSecondUs;
  return outcome_;
}

SimulationOutcome Simulate(const Simulation& simulation, const std::filesystem::path& dir) {
  return SimulationRun(simulation, dir).Do();
}

}  // namespace thresher::pipeline
