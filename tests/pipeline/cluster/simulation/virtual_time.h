// A clock that goes from one event to the next: what takes hours for machines takes as long as its work.
// Events of one moment happen in the order in which they were put in.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace thresher::pipeline {

constexpr int64_t kSecondUs = 1'000'000;

class VirtualTime {
 public:
  using Event = std::function<void()>;

  int64_t now_us() const { return now_us_; }
  void After(int64_t us, Event event) { due_.push({now_us_ + us, ++count_, std::move(event)}); }

  // Lets happen what is due up to that moment.
  void RunUntil(int64_t until_us) {
    while (!due_.empty() && due_.top().at_us <= until_us) {
      const Due next = due_.top();
      due_.pop();
      now_us_ = next.at_us;
      next.event();
    }
    now_us_ = until_us;
  }

 private:
  struct Due {
    int64_t at_us;
    uint64_t number;
    Event event;

    bool operator<(const Due& other) const {  // the largest one is on top
      return at_us != other.at_us ? at_us > other.at_us : number > other.number;
    }
  };
  int64_t now_us_ = 0;
  uint64_t count_ = 0;
  std::priority_queue<Due> due_;
};

}  // namespace thresher::pipeline
