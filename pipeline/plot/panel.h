// A panel of a chart: curves over two axes.
//
// Filled by the commands regret and fit and by the experiments in reproduction/, drawn by chart.h.
// Thread-safety: plain values.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::pipeline {

struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};  // as many as x; a value that is not finite leaves a gap in the curve

  void Add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

struct Panel {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  bool log_x = false;  // points that are not positive are left out
  bool log_y = false;
  bool y_from_zero = false;                                 // the y axis includes 0; not with log_y
  double y_most = std::numeric_limits<double>::infinity();  // curves are cut off above this value
  std::vector<Series> series = {};

  // Throws std::out_of_range if there is none of this name.
  const Series& At(std::string_view name) const;
};

}  // namespace thresher::pipeline
