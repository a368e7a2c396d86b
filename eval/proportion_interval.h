// The 95 % Clopper–Pearson interval of a proportion.
//
// Called by figures.cc, roc.cc and probability_figures.cc. Thread-safety: pure functions.
#pragma once

namespace thresher::eval {

struct ProportionInterval {
  double low;
  double high;
};

// The interval of wrong / total. REQUIRES: 0 ≤ wrong ≤ total, total > 0. It is exact for a whole number
// `wrong`; the formula is continuous, so that a tie may count as half an error.
ProportionInterval ClopperPearson(double wrong, double total);

}  // namespace thresher::eval
