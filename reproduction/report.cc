#include "reproduction/report.h"

#include <algorithm>
#include <stdexcept>

namespace thresher::reproduction {

double Table::At(std::string_view row, std::string_view column) const {
  const auto in_row = std::ranges::find(rows, row, &Row::name);
  if (in_row == rows.end()) throw std::out_of_range("no row of that name: " + std::string(row));
  const auto in_column = std::ranges::find(columns, column);
  const auto index = static_cast<size_t>(in_column - columns.begin());
  return in_row->values.at(index - 1);
}

}  // namespace thresher::reproduction
