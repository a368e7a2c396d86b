// How much each of a few experts counts: its share falls with the exponential of its recent losses.
//
//   L_k ← memory·L_k + loss_k,   p_k = e^(−L_k)/Σ e^(−L)
//
// No share is less than e^(−60) of the largest: times an expert's weight it is still a float that is not 0.
// So which features have a weight does not depend on the shares.
//
// Losses on mistakes alone do not compare the experts: the surest one always loses most. A model
// that is told of mistakes only has few examples to learn from, so each of them counts for the faster
// experts:
//
//   L_k ← memory·L_k + k/5       k = 0 is the fastest
//
// The weighted-majority method of Littlestone & Warmuth (1994), later called Hedge, at learning rate 1. With
// memory < 1 the shares follow the expert that is best now, as in Herbster & Warmuth (1998).
//
// Used by adaptive_ftrl.cc. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace thresher::learners {

template <size_t kExperts>
struct Hedge {
  using PerExpert = std::array<double, kExperts>;

  static constexpr PerExpert EqualShares() {
    PerExpert equal = {};
    for (double& share : equal) share = 1 / static_cast<double>(kExperts);
    return equal;
  }

  // For an example that is taught because the verdict was wrong.
  void LearnMistake(double memory) {
    PerExpert handicaps = {};
    for (size_t k = 0; k < kExperts; ++k) handicaps[k] = kMistakeHandicap * static_cast<double>(k);
    Learn(handicaps, memory);
  }

  // `suffered`: the experts' losses on one example.
  void Learn(const PerExpert& suffered, double memory) {
    for (size_t k = 0; k < kExperts; ++k) losses[k] = memory * losses[k] + suffered[k];
    const double least = *std::min_element(losses.begin(), losses.end());
    double sum = 0;
    for (size_t k = 0; k < kExperts; ++k)
      sum += shares[k] = std::exp(-std::min(losses[k] - least, kLargestLead));
    for (double& share : shares) share /= sum;
  }

  double Mean(const PerExpert& values) const {
    double mean = 0;
    for (size_t k = 0; k < kExperts; ++k) mean += shares[k] * values[k];
    return mean;
  }

  // Whether Learn can have left it.
  bool IsSound() const {
    const auto is_loss = [](double loss) { return loss >= 0 && std::isfinite(loss); };
    const auto is_share = [](double share) { return share >= 0 && share <= 1; };
    double sum = 0;
    for (const double share : shares) sum += share;
    return std::all_of(losses.begin(), losses.end(), is_loss) &&
           std::all_of(shares.begin(), shares.end(), is_share) && std::abs(sum - 1) < 1e-9;
  }

  static constexpr double kMistakeHandicap = 0.2;
  static constexpr double kLargestLead = 60;

  PerExpert losses = {};             // L
  PerExpert shares = EqualShares();  // p
};

}  // namespace thresher::learners
