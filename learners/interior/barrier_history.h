// The barriers, penalties and lengths of past steps, for coordinates that were not touched meanwhile.
//
// Between two touches a coordinate changes by μ, λ/n and the step length a alone:
//   b ← b + a (μ − (λ/n) b)/(b + z)       z ← z + a ((μ + (λ/n) z)/(b + z) − z)
// Steps are collected into blocks whose lengths add up to about 1/8. Within a block, μ and λ/n are linear and
// all steps have the same length. A block, or the end of one, costs three evaluations of the above, whatever
// the number of its steps. When all blocks are in use, the two neighbours that are shortest relative to their
// age are merged.
//
// Used by interior_point.cc. Part of persisted globals: the layout in memory is the stored format.
// Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "learners/interior/coordinate.h"

namespace thresher::learners {

class BarrierHistory {
 public:
  // The sum of the lengths of all steps so far: the clock of coordinates.
  double clock() const { return count_ == 0 ? 0 : blocks_[count_ - 1].end; }

  // Whether bytes that were read are a valid history.
  bool IsSound() const;

  void Append(double length, double barrier, double penalty);

  // The present state of a coordinate that was last current at clock `since`.
  Coordinate BringCurrent(Coordinate coordinate, double since) const;

  // A linear function of the clock, stated at some point of it.
  struct Line {
    double value = 0;
    double slope = 0;

    double At(double elapsed) const { return value + slope * elapsed; }
  };

  struct Block {
    double end = 0;   // the clock at its end
    double step = 0;  // the length of each of its steps
    Line barrier;     // stated at the end
    Line penalty;     // likewise
  };

 private:
  static constexpr size_t kBlocks = 64;

  double StartOf(size_t block) const { return block == 0 ? 0 : blocks_[block - 1].end; }
  bool FitsLastBlock(const Block& step) const;
  void MergeShortestPair();

  uint64_t count_ = 0;
  std::array<Block, kBlocks> blocks_ = {};
};

}  // namespace thresher::learners
