// One axis of a chart: the position of a value along it, and its ticks.
//
// Called by chart.cc. Thread-safety: immutable.
#pragma once

#include <string>
#include <vector>

namespace thresher::pipeline {

class Axis {
 public:
  struct Tick {
    double value = 0;
    std::string label;
  };

  // Spans these values. Ignores those that it cannot show: not finite or, if logarithmic, not positive.
  Axis(const std::vector<double>& values, bool logarithmic);

  bool CanShow(double value) const;
  // 0 at the smallest of the values, 1 at the largest; below 0 or above 1 for a value outside their range.
  double Place(double value) const;
  std::vector<Tick> Ticks() const;

 private:
  double Scaled(double value) const;

  bool logarithmic_;
  double least_ = 0;  // scaled
  double most_ = 1;
};

}  // namespace thresher::pipeline
