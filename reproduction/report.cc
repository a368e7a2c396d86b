#include "reproduction/report.h"

#include <algorithm>
#include <stdexcept>

namespace thresher::reproduction {
namespace {

template <class Items, class Member>
const auto& Find(const Items& items, std::string_view name, Member member) {
  const auto found = std::ranges::find(items, name, member);
  if (found == items.end()) throw std::out_of_range("nothing of that name: " + std::string(name));
  return *found;
}

}  // namespace

double Table::At(std::string_view row, std::string_view column) const {
  const auto found = std::ranges::find(columns, column);
  const auto index = static_cast<size_t>(found - columns.begin());
  return Find(rows, row, &Row::name).values.at(index - 1);
}

const Panel& Report::PanelAt(std::string_view title) const { return Find(panels, title, &Panel::title); }

const Table& Report::TableAt(std::string_view caption) const {
  return Find(tables, caption, &Table::caption);
}

}  // namespace thresher::reproduction
