// What fails in a simulation, and when.
#include <algorithm>

#include "tests/pipeline/cluster/simulation/simulation_run.h"

namespace thresher::pipeline {

void SimulationRun::PlanFaults() {
  const double damaged = std::max(.05, 3.0 / static_cast<double>(hosts_.size()));
  for (size_t i = 0; i < hosts_.size(); ++i) {
    while (servers_.Happens(.5)) {
      const int64_t down_us = servers_.Around(servers_.Happens(.2) ? end_us_ / 2 : 10 * kSecondUs);
      time_.After(SomeTime(), [this, i, down_us] {
        outcome_.kills += hosts_[i].is_up ? 1 : 0;
        EndNode(i, down_us);
      });
    }
    while (servers_.Happens(.4)) {
      const int64_t begin_us = SomeTime();
      time_.After(begin_us, [this, i] { hosts_[i].node->link.is_cut_off = true; });
      time_.After(begin_us + servers_.Around(15 * kSecondUs),
                  [this, i] { hosts_[i].node->link.is_cut_off = false; });
      ++outcome_.partitions;
    }
    if (i > 1 && servers_.Happens(damaged)) time_.After(SomeTime(), [this, i] { Damage(i); });
  }
  for (int i = 0; i < 2; ++i) {
    const int64_t begin_us = SomeTime();
    time_.After(begin_us, [this] { servers_.has_quorum = false; });
    time_.After(begin_us + 5 * kSecondUs, [this] { servers_.has_quorum = true; });
  }
  for (uint64_t i = 0; i < 10 + simulation_.messages / 50; ++i)
    time_.After(SomeTime(), [this] { AddForeign(); });
}

// One model at a time: most of the nodes are right.
void SimulationRun::Damage(size_t i) {
  const bool any =
      std::any_of(hosts_.begin(), hosts_.end(), [](const Host& h) { return h.node->is_damaged(); });
  Host& host = hosts_[i];
  if (any || !host.node->is_running() || host.was_damaged) return;
  host.was_damaged = true;
  ++outcome_.damaged;
  host.node->Damage(Message(0));
}

void SimulationRun::AddForeign() {
  servers_.Take("", std::string(servers_.Below(40), 'x'));
  Operation other = Message(servers_.Below(10));
  other.identity = 1;
  other.author = other.number = 1;
  servers_.Take("", EncodeOperation(other));
}

void SimulationRun::EndFaults() {
  servers_.is_calm = servers_.has_quorum = true;
  for (size_t i = 0; i < hosts_.size(); ++i) {
    hosts_[i].node->link.is_cut_off = false;
    hosts_[i].is_up = true;
    BeginNode(i);
  }
}

}  // namespace thresher::pipeline
