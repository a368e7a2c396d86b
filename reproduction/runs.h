// The function of each experiment. The file of the same name defines it; experiments.cc lists it.
//
// Used by experiments.cc. Thread-safety: each run is independent.
#pragma once

#include "reproduction/experiments.h"

namespace thresher::reproduction {

Report BallDigits(const Setting& setting);
Report BallOnline(const Setting& setting);
Report BallSynthetic(const Setting& setting);
Report BallText(const Setting& setting);
Report CoordinateDescent(const Setting& setting);
Report CoordinateDescentBounds(const Setting& setting);
Report CoordinateDescentBox(const Setting& setting);
Report CoordinateDescentCostly(const Setting& setting);
Report CoordinateDescentDense(const Setting& setting);
Report CoordinateDescentGreedy(const Setting& setting);
Report DualAscentBatches(const Setting& setting);
Report DualAscentBounds(const Setting& setting);
Report DualAscentExample(const Setting& setting);
Report DualAscentL1(const Setting& setting);
Report DualAscentOrder(const Setting& setting);
Report DualAscentRegimes(const Setting& setting);
Report DualAscentSgd(const Setting& setting);
Report DualAscentSmoothing(const Setting& setting);
Report InteriorPointAccuracy(const Setting& setting);
Report InteriorPointConstraints(const Setting& setting);
Report InteriorPointShrinkage(const Setting& setting);

}  // namespace thresher::reproduction
