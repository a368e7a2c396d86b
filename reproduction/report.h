// The result of an experiment: panels of curves and tables of numbers.
//
// Made by the experiments of this folder; read by what draws it, by markdown.h, and by the tests: a number
// of a table by its row and column. Thread-safety: plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/plot/panel.h"

namespace thresher::reproduction {

using pipeline::Panel;
using pipeline::Series;

struct Row {
  std::string name = {};
  std::vector<double> values = {};  // not a number: no entry
};

struct Table {
  std::string caption = {};               // a sentence, above the table
  std::vector<std::string> columns = {};  // the first is the heading of the row names
  std::vector<Row> rows = {};

  // REQUIRES: there are a row and a column of these names.
  double At(std::string_view row, std::string_view column) const;
};

struct Report {
  std::vector<Panel> panels = {};
  std::vector<Table> tables = {};
};

}  // namespace thresher::reproduction
