#include "pipeline/fit/filing_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "pipeline/input/whole_line.h"

namespace thresher::pipeline {
namespace {

constexpr double kLargestCost = 1e6;
constexpr std::string_view kAnyFolder = "*";

// Up to the next tab, which is removed as well.
std::string_view TakeField(std::string_view* line) {
  const size_t tab = std::min(line->find('\t'), line->size());
  const std::string_view field = line->substr(0, tab);
  line->remove_prefix(std::min(tab + 1, line->size()));
  return field;
}

std::optional<double> CostOf(std::string_view field) {
  double cost = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), cost);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  if (!(cost >= 0 && cost <= kLargestCost)) return std::nullopt;
  return cost;
}

// Sets what one line says. What is wrong with it; empty if nothing.
std::string SetCosts(std::string_view line, const std::vector<std::string>& folders,
                     std::vector<double>* costs) {
  const std::optional<double> cost = CostOf(TakeField(&line));
  if (!cost) return fmt::format("expected a cost from 0 to {:g} before the first tab", kLargestCost);
  const std::string_view from = TakeField(&line);
  const std::string_view into = line;
  for (const std::string_view name : {from, into}) {
    if (name == kAnyFolder || std::ranges::find(folders, name) != folders.end()) continue;
    return fmt::format("\"{}\" is no folder with messages; expected COST, FOLDER, INTO with tabs between",
                       name);
  }
  if (from == into && from != kAnyFolder) return "a message that stays in its folder costs nothing";
  const size_t n = folders.size();
  for (size_t right = 0; right < n; ++right) {
    for (size_t said = 0; said < n; ++said) {
      if (right == said || (from != kAnyFolder && from != folders[right]) ||
          (into != kAnyFolder && into != folders[said]))
        continue;
      (*costs)[right * n + said] = *cost;
    }
  }
  return "";
}

}  // namespace

Result<std::vector<double>> ReadFilingCosts(const std::string& path,
                                            const std::vector<std::string>& folders) {
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  const size_t n = folders.size();
  std::vector<double> costs(n * n, 1.0);
  for (size_t i = 0; i < n; ++i) costs[i * n + i] = 0;
  LineReader reader(*std::move(stream));
  std::string line;
  for (uint64_t number = 1;; ++number) {
    const auto read = NextLine(&reader, &line);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) return costs;
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    const bool is_whole = *read == LineRead::kLine;
    if (is_whole && (line.empty() || line.starts_with('#'))) continue;
    if (const std::string wrong = is_whole ? SetCosts(line, folders, &costs) : std::string(kLineIsTooLong);
        !wrong.empty())
      return tl::unexpected(Error{kData, fmt::format("{}:{}: {}", path, number, wrong)});
  }
}

}  // namespace thresher::pipeline
