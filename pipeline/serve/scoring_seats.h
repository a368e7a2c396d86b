// What threads score with beside a model that learns: each takes a seat for a message and gives it back.
//
// Used by ModelService. Thread-safety: any threads. The lock is held to take a seat, not to score.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "pipeline/delivery/message_judge.h"
#include "pipeline/model/live_scorer.h"

namespace thresher::pipeline {

class ScoringSeats {
 public:
  // What one thread needs.
  struct Seat {
    explicit Seat(std::shared_ptr<LiveScorer> of)
        : live(std::move(of)), judge(std::make_unique<LiveScorer::Reader>(*live)) {}

    std::shared_ptr<LiveScorer> live;  // destroyed after those who score by it
    MessageJudge judge;
  };
  // Gives the seat back. Null if there is no model.
  struct GiveBack {
    ScoringSeats* seats;
    void operator()(Seat* seat) const { seats->Return(std::unique_ptr<Seat>(seat)); }
  };
  using Taken = std::unique_ptr<Seat, GiveBack>;

  Taken Take();
  // From now on seats are of this model.
  void Replace(std::shared_ptr<LiveScorer> live);

 private:
  void Return(std::unique_ptr<Seat> seat);

  std::mutex mutex_;
  std::shared_ptr<LiveScorer> live_;
  std::vector<std::unique_ptr<Seat>> free_;
};

}  // namespace thresher::pipeline
