#include "pipeline/plot/panel.h"

#include <algorithm>
#include <stdexcept>

namespace thresher::pipeline {

const Series& Panel::At(std::string_view name) const {
  const auto found = std::ranges::find(series, name, &Series::name);
  if (found == series.end()) throw std::out_of_range("no series of this name: " + std::string(name));
  return *found;
}

}  // namespace thresher::pipeline
