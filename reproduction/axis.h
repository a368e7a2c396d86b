// One axis of a chart: from values to places on the paper, and where its ticks stand.
//
// Used by chart.cc. Thread-safety: immutable.
#pragma once

#include <string>
#include <vector>

namespace thresher::reproduction {

class Axis {
 public:
  struct Tick {
    double value = 0;
    std::string label;
  };

  // Of these values; what it cannot show (not finite, on a logarithmic axis not positive) is passed over.
  Axis(const std::vector<double>& values, bool logarithmic);

  bool CanShow(double value) const;
  // 0 at the least value, 1 at the largest; may lie outside for values it was not made from.
  double Place(double value) const;
  std::vector<Tick> Ticks() const;

 private:
  double Scaled(double value) const;

  bool logarithmic_;
  double least_ = 0;  // scaled
  double most_ = 1;
};

}  // namespace thresher::reproduction
