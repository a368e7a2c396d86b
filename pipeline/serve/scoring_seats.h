// What threads score with: each takes a seat for a message and gives it back.
//
// The seats are of a model that learns meanwhile, or of the score image of one that is closed.
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
    explicit Seat(std::shared_ptr<const Scorer> of)
        : scorer(std::move(of)), judge(scorer->ForAnotherThread()) {}

    std::shared_ptr<const Scorer> scorer;  // destroyed after those who score by it
    MessageJudge judge;
    bool was_large = false;  // its message: it keeps memory for another of that size
  };
  // Gives the seat back. Null if there is no model.
  struct GiveBack {
    ScoringSeats* seats;
    void operator()(Seat* seat) const { seats->Return(std::unique_ptr<Seat>(seat)); }
  };
  using Taken = std::unique_ptr<Seat, GiveBack>;

  Taken Take();
  // From now on seats are of this model. keep: whether a seat that is given back is kept for the next
  // message, with the memory that this one took if that was not large.
  void Replace(std::shared_ptr<const Scorer> scorer, bool keep);
  void Replace(std::shared_ptr<LiveScorer> live);

 private:
  void Return(std::unique_ptr<Seat> seat);

  std::mutex mutex_;
  std::shared_ptr<const Scorer> scorer_;
  bool keep_ = true;
  std::vector<std::unique_ptr<Seat>> free_;
};

}  // namespace thresher::pipeline
