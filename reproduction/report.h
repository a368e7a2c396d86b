// What an experiment hands back: panels of curves and tables of numbers, by name.
//
// Filled by the experiments of this folder, written by chart.h and markdown.h, looked into by their tests.
// Thread-safety: plain values.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::reproduction {

struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};  // as long as x; what is not finite is a gap

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
  double y_most = std::numeric_limits<double>::infinity();  // curves are cut off above it
  std::vector<Series> series = {};

  // REQUIRES: there is one of that name.
  const Series& At(std::string_view name) const;
};

struct Row {
  std::string name = {};
  std::vector<double> values = {};  // not a number: no entry
};

struct Table {
  std::string caption = {};               // a sentence, above the table
  std::vector<std::string> columns = {};  // the first stands over the names of rows
  std::vector<Row> rows = {};

  // REQUIRES: there are a row and a column of these names.
  double At(std::string_view row, std::string_view column) const;
};

struct Report {
  std::vector<Panel> panels = {};
  std::vector<Table> tables = {};

  // By title and by caption. REQUIRES: there is one.
  const Panel& PanelAt(std::string_view title) const;
  const Table& TableAt(std::string_view caption) const;
};

}  // namespace thresher::reproduction
