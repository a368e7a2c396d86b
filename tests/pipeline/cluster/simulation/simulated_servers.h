// The servers of a shared log in virtual time, and the nodes' ways to them, which lose, repeat and delay.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "tests/pipeline/cluster/memory_log.h"
#include "tests/pipeline/cluster/simulation/virtual_time.h"

namespace thresher::pipeline {

class SimulatedServers {
 public:
  SimulatedServers(VirtualTime& time, uint64_t seed)
      : time_(time), random_(seed), begin_us_(stream_->clock_us) {}

  // What all parts of a simulation draw from, in the order of its events.
  bool Happens(double probability) { return std::uniform_real_distribution<>()(random_) < probability; }
  uint64_t Below(uint64_t end) { return random_() % end; }
  // Exponentially distributed.
  int64_t Around(int64_t mean_us) {
    return static_cast<int64_t>(std::exponential_distribution<>(1.0 / static_cast<double>(mean_us))(random_));
  }

  VirtualTime& time() { return time_; }
  int64_t clock_us() const { return begin_us_ + time_.now_us(); }
  const std::shared_ptr<MemoryStream>& stream() {
    stream_->clock_us = clock_us();
    return stream_;
  }
  // A record that is published. The same name soon after is not taken twice.
  uint64_t Take(const std::string& name, std::string_view bytes) {
    const auto known = name.empty() ? names_.end() : names_.find(name);
    if (known != names_.end() && time_.now_us() < known->second + kKnowsNamesUs) return 0;
    if (!name.empty()) names_[name] = time_.now_us();
    records_ = stream()->Append("", bytes);
    on_record(records_);
    return records_;
  }
  uint64_t records() const { return records_; }

  // How long the servers know a name: shorter than copies are under way.
  static constexpr int64_t kKnowsNamesUs = 5 * kSecondUs;

  bool has_quorum = true;
  bool is_calm = false;  // nothing fails any more
  std::function<void(uint64_t seq)> on_record = [](uint64_t) {};

 private:
  VirtualTime& time_;
  std::mt19937_64 random_;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
  int64_t begin_us_;
  uint64_t records_ = 0;
  std::map<std::string, int64_t> names_;  // when they came
};

// One node's way.
class SimulatedLink final : public MemoryLog {
 public:
  SimulatedLink(SimulatedServers& servers, bool swaps_records)
      : MemoryLog(servers.stream()), servers_(servers), swaps_records_(swaps_records) {}

  // What is said to have failed may come later, and what has come may come again.
  Result<uint64_t> Publish(const std::string& name, std::string_view bytes) override {
    const auto reached = Reach();
    if (!servers_.is_calm && servers_.Happens(.05)) {
      servers_.time().After(
          servers_.Around(20 * kSecondUs),
          [servers = &servers_, name, copy = std::string(bytes)] { servers->Take(name, copy); });
    }
    if (!reached) return tl::unexpected(reached.error());
    const uint64_t seq = servers_.Take(name, bytes);
    if (!servers_.is_calm && servers_.Happens(.05))
      return tl::unexpected(Error{kBusy, "the answer was lost"});
    return seq;
  }
  Result<Batch> Read(uint64_t after, size_t most, std::chrono::milliseconds) override {
    if (auto reached = Reach(); !reached) return tl::unexpected(reached.error());
    Batch batch = stream_->Read(after, most, {});
    for (size_t i = 0; swaps_records_ && i + 1 < batch.records.size(); ++i) {
      if (batch.records[i].seq % 8 == 0) std::swap(batch.records[i].bytes, batch.records[i + 1].bytes);
    }
    return batch;
  }

 protected:
  Result<void> Reach() override {
    stream_->clock_us = servers_.clock_us();
    if (!servers_.has_quorum || (!servers_.is_calm && servers_.Happens(.01)))
      return tl::unexpected(Error{kBusy, "the servers do not answer"});
    return MemoryLog::Reach();
  }

 private:
  SimulatedServers& servers_;
  bool swaps_records_;  // a log that breaks its order
};

}  // namespace thresher::pipeline
