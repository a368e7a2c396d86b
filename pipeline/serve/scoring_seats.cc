#include "pipeline/serve/scoring_seats.h"

namespace thresher::pipeline {

ScoringSeats::Taken ScoringSeats::Take() {
  std::shared_ptr<const Scorer> scorer;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Seat> seat = std::move(free_.back());
      free_.pop_back();
      return {seat.release(), {this}};
    }
    scorer = scorer_;
  }
  if (!scorer) return {nullptr, {this}};
  return {std::make_unique<Seat>(std::move(scorer)).release(), {this}};
}

void ScoringSeats::Replace(std::shared_ptr<const Scorer> scorer, bool keep) {
  std::vector<std::unique_ptr<Seat>> old;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  scorer_ = std::move(scorer);
  keep_ = keep;
  old.swap(free_);
}

void ScoringSeats::Replace(std::shared_ptr<LiveScorer> live) {
  struct Whole {
    explicit Whole(std::shared_ptr<LiveScorer> of) : live(std::move(of)), reader(*live) {}

    std::shared_ptr<LiveScorer> live;
    LiveScorer::Reader reader;
  };
  const auto whole = std::make_shared<Whole>(std::move(live));
  Replace(std::shared_ptr<const Scorer>(whole, &whole->reader), true);
}

// A seat of an earlier model goes away.
void ScoringSeats::Return(std::unique_ptr<Seat> seat) {
  const std::lock_guard lock(mutex_);
  if (keep_ && !seat->was_large && seat->scorer == scorer_) free_.push_back(std::move(seat));
}

}  // namespace thresher::pipeline
