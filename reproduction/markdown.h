// Tables of numbers as Markdown.
//
// Used by main.cc. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "reproduction/report.h"

namespace thresher::reproduction {

// Captions and tables, numbers to four significant digits.
std::string Markdown(const std::vector<Table>& tables);

}  // namespace thresher::reproduction
