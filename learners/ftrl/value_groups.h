// The features of one example in groups, and how far each group learns as if it stood alone.
//
// The tokenizer gives all features of a kind (n-grams, pairs, words, …) one value (docs/tokens.md#values), so
// features with equal values are a group. Of all features together only the most telling learn: once the
// n-grams of a message tell its class, the gradient is small, and its words never get the weights that they
// need where n-grams fail. Sutton, Sindelar & McCallum, "Reducing Weight Undertraining in Structured
// Discriminative Learning" (2006), train groups apart for that reason. Here each group q learns by a mixture,
//
//   (1 − λ_q)·L'(a, y) + λ_q·L'(a_q, y),   λ_q = λ·n_q/(n_q + 30),   a_q = b + G·Σ_{j in q} w_j x_j
//
// with n_q its features and G the number of groups: where all groups say the same, a_q is the margin a. A few
// features say too little alone, hence λ_q. With one group this is the plain gradient.
//
// An example with more than eight values, as data sets have, has no groups: λ_q is 0.
//
// Used by ftrl.cc and adaptive_ftrl.cc. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>

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

 private:
  static constexpr double kFewFeatures = 30;

  size_t size_ = 0;
  std::array<double, kMost> values_ = {};
  std::array<double, kPlaces> features_ = {};  // n
};

}  // namespace thresher::learners
