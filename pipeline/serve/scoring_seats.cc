#include "pipeline/serve/scoring_seats.h"

namespace thresher::pipeline {

ScoringSeats::Taken ScoringSeats::Take() {
  std::shared_ptr<LiveScorer> live;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Seat> seat = std::move(free_.back());
      free_.pop_back();
      return {seat.release(), {this}};
    }
    live = live_;
  }
  if (!live) return {nullptr, {this}};
  return {std::make_unique<Seat>(std::move(live)).release(), {this}};
}

void ScoringSeats::Replace(std::shared_ptr<LiveScorer> live) {
  std::vector<std::unique_ptr<Seat>> old;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  live_ = std::move(live);
  old.swap(free_);
}

// A seat of an earlier model goes away.
void ScoringSeats::Return(std::unique_ptr<Seat> seat) {
  const std::lock_guard lock(mutex_);
  if (seat->live == live_) free_.push_back(std::move(seat));
}

}  // namespace thresher::pipeline
