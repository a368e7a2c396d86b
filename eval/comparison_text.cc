#include <fmt/format.h>

#include <iterator>

#include "eval/digits.h"
#include "eval/report.h"

namespace thresher::eval {
namespace {

using Lines = fmt::memory_buffer;

std::string Signed(double percent) { return (percent < 0 ? "" : "+") + Digits(percent); }

std::string IntervalText(const std::optional<Difference::Interval>& interval) {
  if (!interval) return "not defined: too few messages changed)";
  const bool could_be_chance = interval->low <= 0 && interval->high >= 0;
  return fmt::format("{} to {}){}", Signed(interval->low), Signed(interval->high),
                     could_be_chance ? "" : "  *");
}

void AppendDifference(Lines& out, std::string_view name, const std::optional<Difference>& difference) {
  const auto append = std::back_inserter(out);
  if (!difference) {
    fmt::format_to(append, "  {:<12}not defined: a class has no message\n", name);
    return;
  }
  fmt::format_to(append, "  {:<12}{:>10}{:>10}{:>12}  (95 %: {}\n", name, Digits(difference->first),
                 Digits(difference->second), Signed(difference->value()), IntervalText(difference->interval));
}

void AppendDiscordance(Lines& out, std::string_view what, const Discordance& discordance) {
  fmt::format_to(std::back_inserter(out), "  {:<12}{:>10}{:>10}{:>12}  p = {:.3g}\n", what,
                 discordance.only_first_wrong, discordance.only_second_wrong, "", discordance.p_value);
}

}  // namespace

std::string FormatText(const Comparison& comparison, std::string_view first, std::string_view second) {
  Lines out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "first   {}\nsecond  {}\n{} messages in both\n\n", first, second,
                 comparison.messages);
  fmt::format_to(append, "  {:<12}{:>10}{:>10}{:>12}\n", "", "first", "second", "difference");
  AppendDifference(out, "(1−ROCA)%", comparison.roc_area_above);
  AppendDifference(out, "lam%", comparison.logistic_average);
  AppendDifference(out, "hm%", comparison.ham_misclassification);
  AppendDifference(out, "sm%", comparison.spam_misclassification);
  fmt::format_to(append, "\nwrong in one filter only (McNemar's test)\n");
  AppendDiscordance(out, "ham", comparison.ham);
  AppendDiscordance(out, "spam", comparison.spam);
  AppendDiscordance(out, "all", comparison.all);
  fmt::format_to(append, "* the interval excludes 0\n");
  return fmt::to_string(out);
}

}  // namespace thresher::eval
