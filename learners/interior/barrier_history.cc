#include "learners/interior/barrier_history.h"

#include <algorithm>
#include <cmath>

namespace thresher::learners {
namespace {

using Block = BarrierHistory::Block;
using Line = BarrierHistory::Line;

constexpr double kBlockLength = 0.125;
constexpr double kLongestStride = 0.5;

// Sums over a block's steps, each weighted by its length a and placed at the distance s of its beginning from
// the block's start. They determine the block's lines by least squares, and add when blocks are merged.
struct Moments {
  double weight = 0;    // Σ a
  double squares = 0;   // Σ a²
  double distance = 0;  // Σ a s
  double spread = 0;    // Σ a s²
  Line barrier = {};    // Σ a μ, Σ a s μ
  Line penalty = {};
};

Line MomentsOf(const Line& line, double start, const Moments& m) {
  return {.value = m.weight * line.At(start) + line.slope * m.distance,
          .slope = m.distance * line.At(start) + line.slope * m.spread};
}

// The moments of a block of equal steps.
Moments MomentsOf(const Block& block, double start) {
  const double length = block.end - start;
  const double last = std::max(0.0, length - block.step);  // where the last step begins
  Moments m = {.weight = length, .squares = length * block.step, .distance = length * last / 2};
  m.spread = m.distance * last / 2 + length * last * (length + block.step) / 12;
  m.barrier = MomentsOf(block.barrier, -length, m);
  m.penalty = MomentsOf(block.penalty, -length, m);
  return m;
}

// Adds `later`, whose start is `shift` after that of m.
void Join(Moments& m, const Moments& later, double shift) {
  m.weight += later.weight;
  m.squares += later.squares;
  m.distance += later.distance + shift * later.weight;
  m.spread += later.spread + shift * (2 * later.distance + shift * later.weight);
  const auto join = [shift](Line& sum, const Line& other) {
    sum.value += other.value;
    sum.slope += other.slope + shift * other.value;
  };
  join(m.barrier, later.barrier);
  join(m.penalty, later.penalty);
}

// The line, stated at the block's end. The slope is limited so that the line stays above 0 within the block.
Line LineOf(const Line& sums, const Moments& m) {
  const double mean = sums.value / m.weight;
  const double middle = m.distance / m.weight;
  const double spread = m.spread - m.distance * middle;
  const double steepest = mean / m.weight;
  const double slope = spread > 0 ? (sums.slope - sums.value * middle) / spread : 0;
  const Line line = {.value = mean, .slope = std::clamp(slope, -steepest, steepest)};
  return {.value = line.At(m.weight - middle), .slope = line.slope};
}

Block BlockOf(const Moments& m, double end) {
  return {.end = end,
          .step = m.squares / m.weight,
          .barrier = LineOf(m.barrier, m),
          .penalty = LineOf(m.penalty, m)};
}

// What changes both sides, at one point of the clock.
struct Forces {
  double barrier = 0;
  double penalty = 0;
};
using Velocity = std::array<NewtonStep, 2>;

Velocity VelocityAt(const Coordinate& at, const Forces& forces) {
  return {at.sides[0].StepFor(-forces.penalty, forces.barrier),
          at.sides[1].StepFor(-forces.penalty, forces.barrier)};
}

Coordinate Plus(Coordinate at, const Velocity& velocity, double time) {
  for (size_t i = 0; i < 2; ++i) {
    at.sides[i].b += time * velocity[i].b;
    at.sides[i].z += time * velocity[i].z;
  }
  return at;
}

bool IsInside(const Coordinate& at) {
  return at.sides[0].b > 0 && at.sides[0].z > 0 && at.sides[1].b > 0 && at.sides[1].z > 0;
}

// n Euler steps of length a in one, with A = na the whole length: equal to third order in A, and exact for
// n = 1, 2, 3. The steps begin at 0, a, …, L = A − a; this evaluates at 0, L/2 and L. For a → 0 it is Kutta's
// third-order method. `from_end` is the distance from the beginning to the block's end.
Coordinate Integrate(const Coordinate& at, const Block& block, double from_end, double length) {
  const auto forces = [&](double elapsed) {
    return Forces{.barrier = block.barrier.At(elapsed - from_end),
                  .penalty = block.penalty.At(elapsed - from_end)};
  };
  const double step = block.step;
  const double last = length - step;
  const Velocity first = VelocityAt(at, forces(0));
  if (last <= 0) return Plus(at, first, length);
  if (last < step) {
    const Velocity second = VelocityAt(Plus(at, first, last), forces(last));
    return Plus(Plus(at, first, length / 2), second, length / 2);
  }
  const Velocity second = VelocityAt(Plus(at, first, last / 2), forces(last / 2));
  const double by_second = 2 * last * (last - step) / (length + step);
  const Velocity third = VelocityAt(Plus(Plus(at, first, last - by_second), second, by_second), forces(last));
  const double outer = length * (length + step) / (6 * last);
  return Plus(Plus(Plus(at, first, outer), second, length - 2 * outer), third, outer);
}

// Halves the length where a long one would leave the positive range.
Coordinate IntegrateInside(const Coordinate& at, const Block& block, double from_end, double length) {
  constexpr double kShortest = 0x1p-12;
  const Coordinate there = Integrate(at, block, from_end, length);
  if (IsInside(there)) return {.sides = {there.sides[0].Clamped(), there.sides[1].Clamped()}};
  if (length < kShortest) return at;
  const Coordinate midway = IntegrateInside(at, block, from_end, length / 2);
  return IntegrateInside(midway, block, from_end - length / 2, length / 2);
}

}  // namespace

bool BarrierHistory::FitsLastBlock(const Block& step) const {
  if (count_ == 0) return false;
  const Block& last = blocks_[count_ - 1];
  const double length = step.end - StartOf(count_ - 1);
  const auto is_near = [&](const Line& line, double value) {
    const double first = line.At(step.step - length);
    return std::abs(value - first) <= kBlockLength * first;
  };
  return length <= kBlockLength && is_near(last.barrier, step.barrier.value) &&
         is_near(last.penalty, step.penalty.value);
}

bool BarrierHistory::IsSound() const {
  constexpr double kLatest = 0x1p53;  // 2^53 steps of length 1
  if (count_ > kBlocks) return false;
  for (size_t i = 0; i < count_; ++i) {
    const Block& block = blocks_[i];
    const bool finite = std::isfinite(block.barrier.value) && std::isfinite(block.barrier.slope) &&
                        std::isfinite(block.penalty.value) && std::isfinite(block.penalty.slope);
    if (!finite || !(block.step > 0 && block.end > StartOf(i) && block.end <= kLatest)) return false;
  }
  return true;
}

void BarrierHistory::Append(double length, double barrier, double penalty) {
  const double start = clock();
  const Block single = {
      .end = start + length, .step = length, .barrier = {barrier, 0}, .penalty = {penalty, 0}};
  if (single.end == start) return;  // too short to change the clock
  if (FitsLastBlock(single)) {
    const double origin = StartOf(count_ - 1);
    Moments m = MomentsOf(blocks_[count_ - 1], origin);
    Join(m, MomentsOf(single, start), start - origin);
    blocks_[count_ - 1] = BlockOf(m, single.end);
    return;
  }
  if (count_ == kBlocks) MergeShortestPair();
  blocks_[count_++] = single;
}

void BarrierHistory::MergeShortestPair() {
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; i + 1 < count_; ++i) {
    const double start = StartOf(i);
    const double relative = (blocks_[i + 1].end - start) / (clock() - start);
    if (relative < least) {
      least = relative;
      best = i;
    }
  }
  const double start = StartOf(best);
  const double between = blocks_[best].end;
  Moments m = MomentsOf(blocks_[best], start);
  Join(m, MomentsOf(blocks_[best + 1], between), between - start);
  blocks_[best] = BlockOf(m, blocks_[best + 1].end);
  std::copy(blocks_.begin() + best + 2, blocks_.begin() + count_, blocks_.begin() + best + 1);
  --count_;
}

Coordinate BarrierHistory::BringCurrent(Coordinate coordinate, double since) const {
  if (!(since < clock())) return coordinate;  // also if a damaged row has no number there
  size_t i = count_ - 1;
  while (i > 0 && StartOf(i) > since) --i;
  for (; i < count_; ++i) {
    const Block& block = blocks_[i];
    const double whole = block.end - std::max(since, StartOf(i));
    const auto strides = static_cast<uint64_t>(std::ceil(whole / std::max(kLongestStride, 3 * block.step)));
    const double length = whole / static_cast<double>(strides);
    double from_end = whole;
    for (uint64_t stride = 0; stride < strides; ++stride, from_end -= length) {
      coordinate = IntegrateInside(coordinate, block, from_end, length);
    }
  }
  return coordinate;
}

}  // namespace thresher::learners
