// Panels of curves as one SVG picture, legible on white and on dark pages.
//
// Called by the commands regret and fit and by reproduction/main.cc. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "pipeline/plot/panel.h"

namespace thresher::pipeline {

// Draws up to three panels in a row, each with its legend below it; one panel alone is drawn twice as large.
// Series of the same name have the same colour in all panels.
std::string Svg(const std::vector<Panel>& panels);

}  // namespace thresher::pipeline
