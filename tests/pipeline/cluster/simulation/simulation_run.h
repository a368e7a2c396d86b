// One run of a simulation: for the files of simulation.h only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/pipeline/cluster/simulation/log_twin.h"
#include "tests/pipeline/cluster/simulation/simulation.h"

namespace thresher::pipeline {

constexpr int64_t kMillisecondUs = 1000;

class SimulationRun {
 public:
  SimulationRun(const Simulation& simulation, const std::filesystem::path& dir);
  SimulationOutcome Do();

 private:
  struct Host {
    std::unique_ptr<SimulatedNode> node;
    bool is_up = false;          // it is meant to run
    uint64_t reading = 0;        // only its last reading counts
    bool is_waiting = false;     // for a record
    bool is_publishing = false;  // its next step is due
    bool was_damaged = false;
  };

  void PlanFaults();
  void EndFaults();
  void BeginNode(size_t i);
  void EndNode(size_t i, int64_t down_us);
  void ReadLater(size_t i, int64_t us);
  void PublishLater(size_t i, int64_t us);
  void Read(size_t i);
  void Publish(size_t i);
  void WakeReaders(uint64_t seq);
  void TeachLater();
  void Teach(Host& host);
  void Damage(size_t i);
  void AddForeign();
  const Operation& Message(uint64_t number);
  void CompareDigests(size_t i);
  bool IsSettled() const;
  void CheckEnd();
  void CheckModel(size_t i, const LogTwin& twin, const std::string& digest);
  void Wrong(std::string what);
  void Trace(uint64_t what, uint64_t who, uint64_t value);
  int64_t Delay() {
    return 2 * kMillisecondUs + servers_.Around((servers_.Happens(.01) ? 2000 : 40) * kMillisecondUs);
  }
  int64_t SomeTime() { return static_cast<int64_t>(servers_.Below(static_cast<uint64_t>(end_us_))); }

  Simulation simulation_;
  VirtualTime time_;
  SimulatedServers servers_;
  int64_t end_us_;  // of teaching and of faults
  std::vector<Host> hosts_;
  std::map<uint64_t, Operation> messages_;
  std::set<std::pair<uint64_t, uint64_t>> acknowledged_;
  uint64_t taught_ = 0;
  std::map<uint64_t, std::string> digests_;  // by record
  SimulationOutcome outcome_;
};

}  // namespace thresher::pipeline
