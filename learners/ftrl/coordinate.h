// FTRL-Proximal on one coordinate: its state, its weight and the gradient's part of a step. The formulas are
// at the head of ftrl.cc.
//
// Real is double, or Floats: one coordinate of several experts. Used by ftrl.cc and adaptive_ftrl.cc.
// Thread-safety: plain values.
#pragma once

#include "learners/ftrl/floats.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners {

template <class Real>
struct FtrlCoordinate {
  Real z = {};
  Real root = {};  // √n

  // `ratio` is −w/α, so that −σw is the ratio times the growth of √n. The gradient counts `times` in z and
  // once in n.
  void Accumulate(Real g, Real ratio, Real times) {
    const Real grown = SquareRoot(root * root + g * g);
    z += times * g + (grown - root) * ratio;
    root = grown;
  }
};

// What the weights of all coordinates depend on until the clock moves.
template <class Real>
struct FtrlMoment {
  // −w/α
  Real Ratio(const FtrlCoordinate<Real>& coordinate) const {
    const Real beyond = SoftThreshold(coordinate.z, l1);
    // Dividing 0 costs less than a mispredicted branch.
    return (Magnitude(beyond) > chance * coordinate.root ? beyond : Real{}) / (damping + coordinate.root);
  }

  Real l1 = {};
  Real chance = {};   // τ√(2 ln ln 2t)
  Real damping = {};  // β_t + αλ2
};

}  // namespace thresher::learners
