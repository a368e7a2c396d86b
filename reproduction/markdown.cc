#include "reproduction/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace thresher::reproduction {
namespace {

std::string Number(double value) {
  if (std::isnan(value)) return "–";
  if (std::trunc(value) == value && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

}  // namespace

std::string Markdown(const std::vector<Table>& tables) {
  std::string text;
  for (const Table& table : tables) {
    text += fmt::format("{}\n\n| {} |\n|---", table.caption, fmt::join(table.columns, " | "));
    for (size_t column = 1; column < table.columns.size(); ++column) text += "|---:";
    text += "|\n";
    for (const Row& row : table.rows) {
      text += "| " + row.name + " |";
      for (const double value : row.values) text += " " + Number(value) + " |";
      text += "\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace thresher::reproduction
