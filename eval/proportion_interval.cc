#include "eval/proportion_interval.h"

#include <boost/math/special_functions/beta.hpp>

namespace thresher::eval {
namespace {

constexpr double kTail = 0.025;  // on each side

}  // namespace

// The limits are the proportions with which so few, or so many, errors have probability kTail. Binomial tails
// are regularised incomplete beta functions, which are inverted here.
ProportionInterval ClopperPearson(double wrong, double total) {
  const double right = total - wrong;
  return {.low = wrong > 0 ? boost::math::ibeta_inv(wrong, right + 1, kTail) : 0.0,
          .high = right > 0 ? boost::math::ibetac_inv(wrong + 1, right, kTail) : 1.0};
}

}  // namespace thresher::eval
