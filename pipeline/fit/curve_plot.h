// Curves over a logarithmic axis of numbers of examples, as an SVG file that stands alone.
//
// Called by the regret command. Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace thresher::pipeline {

struct Curve {
  std::string name;
  std::vector<double> values;  // one for each place on the axis
};

struct PlotTexts {
  std::string title;
  std::string places;  // what the axes are of
  std::string values;
};

// REQUIRES: places ascending, above 0, at least one. Values that are not finite are left out.
std::string PlotCurves(const PlotTexts& texts, std::span<const size_t> places, std::span<const Curve> curves);

}  // namespace thresher::pipeline
