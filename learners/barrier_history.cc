#include "learners/barrier_history.h"

#include <algorithm>
#include <cmath>

namespace thresher::learners {
namespace {

using Block = BarrierHistory::Block;
using Line = BarrierHistory::Line;

constexpr double kBlockLength = 0.125;
constexpr double kLongestLeap = 0.5;

// Weighted sums over a block's steps, each counted by its length a, at distance s from the block's start,
// where the step begins. They fix a block's lines by least squares and add up when blocks are joined.
struct Moments {
  double weight = 0;    // Σ a
  double squares = 0;   // Σ a²
  double distance = 0;  // Σ a s
  double spread = 0;    // Σ a s²
  Line barrier = {};    // Σ a μ, Σ a s μ
  Line penalty = {};
};

Line MomentsOf(const Line& line, double start, const Moments& m) {
  return {.value = m.weight * line.After(start) + line.slope * m.distance,
          .slope = m.distance * line.After(start) + line.slope * m.spread};
}

// Of n equal steps.
Moments MomentsOf(const Block& block, double start) {
  const double length = block.end - start;
  const double last = std::max(0.0, length - block.step);  // where the last of them begins
  Moments m = {.weight = length, .squares = length * block.step, .distance = length * last / 2};
  m.spread = m.distance * last / 2 + length * last * (length + block.step) / 12;
  m.barrier = MomentsOf(block.barrier, -length, m);
  m.penalty = MomentsOf(block.penalty, -length, m);
  return m;
}

// Those of `later` seen from another start, `shift` before its own.
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

// The line as of the block's end; not so steep that it reaches 0 within the block.
Line LineOf(const Line& sums, const Moments& m) {
  const double mean = sums.value / m.weight;
  const double middle = m.distance / m.weight;
  const double spread = m.spread - m.distance * middle;
  const double steepest = mean / m.weight;
  const double slope = spread > 0 ? (sums.slope - sums.value * middle) / spread : 0;
  const Line line = {.value = mean, .slope = std::clamp(slope, -steepest, steepest)};
  return {.value = line.After(m.weight - middle), .slope = line.slope};
}

Block BlockOf(const Moments& m, double end) {
  return {.end = end,
          .step = m.squares / m.weight,
          .barrier = LineOf(m.barrier, m),
          .penalty = LineOf(m.penalty, m)};
}

// What moves both sides, at one time.
struct Forces {
  double barrier = 0;
  double penalty = 0;
};
using Velocity = std::array<Direction, 2>;

Velocity VelocityAt(const Coordinate& at, const Forces& forces) {
  return {at.sides[0].Towards(-forces.penalty, forces.barrier),
          at.sides[1].Towards(-forces.penalty, forces.barrier)};
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

// n steps of length a in one, nA = a: as n Euler steps to third order in A, and exactly for n = 1, 2, 3. The
// steps begin at 0, a, …, L = A − a; it looks at 0, L/2 and L. For a → 0 it is Kutta's third-order method.
// `from_end` is how far before the block's end it begins.
Coordinate Leap(const Coordinate& at, const Block& block, double from_end, double length) {
  const auto forces = [&](double elapsed) {
    return Forces{.barrier = block.barrier.After(elapsed - from_end),
                  .penalty = block.penalty.After(elapsed - from_end)};
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

// In shorter leaps where a long one leads outside.
Coordinate SafeLeap(const Coordinate& at, const Block& block, double from_end, double length) {
  constexpr double kShortest = 0x1p-12;
  const Coordinate there = Leap(at, block, from_end, length);
  if (IsInside(there)) return {.sides = {there.sides[0].Kept(), there.sides[1].Kept()}};
  if (length < kShortest) return at;
  const Coordinate midway = SafeLeap(at, block, from_end, length / 2);
  return SafeLeap(midway, block, from_end - length / 2, length / 2);
}

}  // namespace

bool BarrierHistory::BelongsToLast(const Block& step) const {
  if (count_ == 0) return false;
  const Block& last = blocks_[count_ - 1];
  const double length = step.end - StartOf(count_ - 1);
  const auto is_near = [&](const Line& line, double value) {
    const double first = line.After(step.step - length);
    return std::abs(value - first) <= kBlockLength * first;
  };
  return length <= kBlockLength && is_near(last.barrier, step.barrier.value) &&
         is_near(last.penalty, step.penalty.value);
}

bool BarrierHistory::IsSound() const {
  constexpr double kLatest = 0x1p53;  // 2^33 steps of the largest length
  if (count_ > kBlocks) return false;
  for (size_t i = 0; i < count_; ++i) {
    const Block& block = blocks_[i];
    const bool finite = std::isfinite(block.barrier.value) && std::isfinite(block.barrier.slope) &&
                        std::isfinite(block.penalty.value) && std::isfinite(block.penalty.slope);
    if (!finite || !(block.step > 0 && block.end > StartOf(i) && block.end <= kLatest)) return false;
  }
  return true;
}

void BarrierHistory::Append(double step, double barrier, double penalty) {
  const double start = now();
  const Block single = {.end = start + step, .step = step, .barrier = {barrier, 0}, .penalty = {penalty, 0}};
  if (single.end == start) return;  // too short to be seen
  if (BelongsToLast(single)) {
    const double origin = StartOf(count_ - 1);
    Moments m = MomentsOf(blocks_[count_ - 1], origin);
    Join(m, MomentsOf(single, start), start - origin);
    blocks_[count_ - 1] = BlockOf(m, single.end);
    return;
  }
  if (count_ == kBlocks) MergeTwo();
  blocks_[count_++] = single;
}

void BarrierHistory::MergeTwo() {
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; i + 1 < count_; ++i) {
    const double start = StartOf(i);
    const double relative = (blocks_[i + 1].end - start) / (now() - start);
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

Coordinate BarrierHistory::CaughtUp(Coordinate then, double since) const {
  if (since == now()) return then;
  size_t i = count_ - 1;
  while (StartOf(i) > since) --i;
  for (; i < count_; ++i) {
    const Block& block = blocks_[i];
    const double whole = block.end - std::max(since, StartOf(i));
    const auto leaps = static_cast<uint64_t>(std::ceil(whole / std::max(kLongestLeap, 3 * block.step)));
    const double length = whole / static_cast<double>(leaps);
    double from_end = whole;
    for (uint64_t leap = 0; leap < leaps; ++leap, from_end -= length) {
      then = SafeLeap(then, block, from_end, length);
    }
  }
  return then;
}

}  // namespace thresher::learners
