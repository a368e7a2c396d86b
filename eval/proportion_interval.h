// The 95 % Clopper–Pearson interval of a proportion. Internal to eval/.
#pragma once

namespace thresher::eval {

struct ProportionInterval {
  double low;
  double high;
};

// `wrong` of `total`, 0 ≤ wrong ≤ total, total > 0. A whole number of wrong ones gives the exact interval;
// the formula is continuous, so a tie may count as half a wrong one.
ProportionInterval ClopperPearson(double wrong, double total);

}  // namespace thresher::eval
