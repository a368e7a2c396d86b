// Reads panels from lines of text, for experiments that a script runs. Tabs separate the fields of a line.
//
//   panel   TITLE  X-LABEL  Y-LABEL  lin|log  lin|log      scales of x and y
//   series  NAME
//   X  Y                                                   a point of the last series
//
// Used by main.cc. Thread-safety: a pure function.
#pragma once

#include <istream>
#include <vector>

#include "reproduction/report.h"

namespace thresher::reproduction {

// Throws std::runtime_error if a line is none of these.
std::vector<Panel> ReadPanels(std::istream& lines);

}  // namespace thresher::reproduction
