// The features of one example in groups, and how far each group learns as if it stood alone.
//
// With `balanced` values the tokenizer gives all features of a kind (n-grams, pairs, words, …) one value
// (docs/tokens.md#values), so features with equal values are a group. If all features learn together, only
// the most telling do: once the n-grams of a message tell its class, the gradient is small, and its words
// never get the weights that they need where n-grams fail. Sutton, Sindelar & McCallum, "Reducing Weight
// Undertraining in Structured Discriminative Learning" (2006), train groups apart for that reason. Here each
// group q learns by a mixture,
//
//   (1 − λ_q)·L'(a, y) + λ_q·L'(a_q, y),   λ_q = λ·n_q/(n_q + 30),   a_q = b + G·Σ_{j in q} w_j x_j
//
// with n_q its features, G the number of groups, and b what a has besides features: where all groups say the
// same, a_q is the margin a. A few features say too little alone, hence λ_q. With one group this is the plain
// gradient. An example with more than eight values, as in many data sets, has no groups: λ_q is 0.
//
// In a correction each a_q is shifted as a is. With logistic loss its derivative is then that of a (±1), if
// a_q was no further than some 36 from a, so the step undoes the earlier one; else, and with other losses,
// only about.
//
// Where the margins of groups cancel, the derivative of one may exceed the 2^64 of RowLearner (squared loss).
// Nothing overflows: |z|/√n grows by at most 3 in a step of ftrl, so |w| < 2^87, |a_q| < 2^250 and g² <
// 2^800.
//
// Used by ftrl.cc and adaptive_ftrl.cc. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>

#include "learners/learner.h"
#include "learners/loss/objective.h"

namespace thresher::learners {

class ValueGroups {
 public:
  static constexpr size_t kMost = 8;
  static constexpr size_t kPlaces = kMost + 1;  // the last one is of all values after the first eight

  // Takes a feature in. Returns the place of its group.
  size_t Add(double value) {
    const size_t place = PlaceOf(value);
    if (place == size_ && place < kMost) values_[size_++] = value;
    features_[place] += 1;
    return place;
  }

  // REQUIRES: a feature with this value was added.
  size_t PlaceOf(double value) const {
    size_t place = 0;
    while (place < size_ && values_[place] != value) ++place;
    return place;
  }

  // G; 1 if there are more than eight values.
  size_t size() const { return features_[kMost] > 0 ? 1 : size_; }

  // λ_q of the group in this place. `largest`: λ.
  double OwnPart(size_t place, double largest) const {
    return size() <= 1 ? 0 : largest * features_[place] / (features_[place] + kFewFeatures);
  }

  // What the mixture for a group is made of.
  struct Parts {
    double slope;      // L'(a, y)
    double intercept;  // b
    double part;       // Σ w_j x_j of the group's features
  };

  // The mixture for the group in this place. `largest`: λ.
  double MixedSlope(const Objective& objective, Label label, size_t place, double largest,
                    const Parts& of) const {
    const double own_part = OwnPart(place, largest);
    const double own_margin = of.intercept + static_cast<double>(size()) * of.part;
    return (1 - own_part) * of.slope + own_part * objective.Slope(own_margin, label);
  }

 private:
  static constexpr double kFewFeatures = 30;

  size_t size_ = 0;
  std::array<double, kMost> values_ = {};
  std::array<double, kPlaces> features_ = {};  // n
};

}  // namespace thresher::learners
