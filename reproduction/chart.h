// Panels of curves as one SVG picture, legible on white and on dark pages.
//
// Used by main.cc. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "reproduction/report.h"

namespace thresher::reproduction {

// Up to three panels in a row, each with its legend below. Equal names have equal colours in all panels.
std::string Svg(const std::vector<Panel>& panels);

}  // namespace thresher::reproduction
