#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "eval/report.h"

namespace thresher::eval {
namespace {

std::string Cell(const std::optional<double>& figure) {
  if (!figure) return fmt::format("{:>10}", "-");
  const bool small = *figure > 0 && *figure < 0.01;
  return small ? fmt::format("{:>10.3g}", *figure) : fmt::format("{:>10.4f}", *figure);
}

std::string HamAndSpamMissed(const ContingencyTable& table) {
  return Cell(PercentWrong(table.ham_as_spam, table.ham())) +
         Cell(PercentWrong(table.spam_as_ham, table.spam()));
}

std::string AreaAndLoss(const PartFigures& part) { return Cell(part.roc_area_above) + Cell(part.log_loss); }

double SpamPercent(const PartFigures& part) {
  return 100 * static_cast<double>(part.table.spam()) /
         static_cast<double>(std::max<uint64_t>(1, part.messages()));
}

}  // namespace

std::string FormatCurve(std::span<const CurvePoint> curve) {
  fmt::memory_buffer out;
  const auto append = std::back_inserter(out);
  constexpr std::string_view kHeading = "       hm%       sm% (1−ROCA)%  log-loss";
  fmt::format_to(append, "{:<12}{:<49}{}\n", "over time", "window before this point", "all messages so far");
  fmt::format_to(append, "{:>10}  {:>7}{}  {}\n", "messages", "spam%", kHeading, kHeading);
  for (const CurvePoint& point : curve) {
    fmt::format_to(append, "{:>10}  {:>7.1f}{}{}  {}{}\n", point.messages, SpamPercent(point.window),
                   HamAndSpamMissed(point.window.table), AreaAndLoss(point.window),
                   HamAndSpamMissed(point.so_far.table), AreaAndLoss(point.so_far));
  }
  return fmt::to_string(out);
}

std::string FormatGroups(std::string_view grouped_by, std::span<const GroupFigures> groups) {
  fmt::memory_buffer out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "{:<20}{:>10}{:>9}       hm%       sm%      lam% (1−ROCA)%  log-loss\n",
                 fmt::format("by {}", grouped_by), "messages", "spam%");
  for (const GroupFigures& group : groups) {
    const auto lam = LogisticAverageMisclassification(group.figures.table);
    fmt::format_to(append, "{:<20}{:>10}{:>9.1f}{}{}{}\n", group.name.empty() ? "(none)" : group.name,
                   group.figures.messages(), SpamPercent(group.figures),
                   HamAndSpamMissed(group.figures.table),
                   Cell(lam ? std::optional(lam->value) : std::nullopt), AreaAndLoss(group.figures));
  }
  return fmt::to_string(out);
}

}  // namespace thresher::eval
