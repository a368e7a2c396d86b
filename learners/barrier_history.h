// The barriers, penalties and steps of the past, for coordinates that were not touched meanwhile.
//
// Between two touches a coordinate is moved by μ, λ/n and the step a alone:
//   b ← b + a (μ − (λ/n) b)/(b + z)       z ← z + a ((μ + (λ/n) z)/(b + z) − z)
// Steps are gathered into blocks of about 1/8 of the way a, in which μ and λ/n are straight lines and all
// steps have the same length. A block, or the end of one, is crossed in one leap (see the .cc): three
// evaluations of the above, whatever the number of steps. When there is no room for another block, the two
// neighbours that are shortest for their age become one.
//
// Used by interior_point.cc; part of persisted globals: the bytes are the model's.
// Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "learners/interior.h"

namespace thresher::learners {

class BarrierHistory {
 public:
  // All steps ever taken, added up: the clock of coordinates.
  double now() const { return count_ == 0 ? 0 : blocks_[count_ - 1].end; }

  // Of bytes that were read: whether it can be used.
  bool IsSound() const;

  void Append(double step, double barrier, double penalty);

  // What a coordinate that was `then` as of clock `since` is now.
  Coordinate CaughtUp(Coordinate then, double since) const;

  // A quantity over time: its value at a clock, and how it changes.
  struct Line {
    double value = 0;
    double slope = 0;

    double After(double elapsed) const { return value + slope * elapsed; }
  };

  struct Block {
    double end = 0;   // the clock
    double step = 0;  // of each of its steps
    Line barrier;     // as of the end
    Line penalty;
  };

 private:
  static constexpr size_t kBlocks = 64;

  double StartOf(size_t block) const { return block == 0 ? 0 : blocks_[block - 1].end; }
  bool BelongsToLast(const Block& step) const;
  void MergeTwo();

  uint64_t count_ = 0;
  std::array<Block, kBlocks> blocks_ = {};
};

}  // namespace thresher::learners
