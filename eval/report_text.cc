#include <fmt/format.h>

#include <iterator>

#include "eval/digits.h"
#include "eval/report.h"

namespace thresher::eval {
namespace {

using Lines = fmt::memory_buffer;

constexpr std::string_view kRow = "  {:<20}{:>16}{:>16}{:>12}\n";

std::string Format(const Percentage& figure) {
  return fmt::format("{:>7} %  (95 %: {} to {})", Digits(figure.value), Digits(figure.low),
                     Digits(figure.high));
}

std::string Format(double figure) { return fmt::format("{:>7} %", Digits(figure)); }

// An undefined figure becomes a sentence with the reason.
template <typename Figure>
std::string FormatOr(const std::optional<Figure>& figure, std::string_view why_not) {
  return figure ? Format(*figure) : fmt::format("not defined: {}", why_not);
}

std::string_view MissingClass(uint64_t ham, uint64_t spam) {
  if (ham == 0 && spam == 0) return "no messages in these results";
  return ham == 0 ? "no ham in these results" : "no spam in these results";
}

std::string FormatRatio(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.4f}", *ratio) : "not defined";
}

void AppendFigure(Lines& out, std::string_view name, std::string_view meaning, std::string_view figure) {
  fmt::format_to(std::back_inserter(out), "  {:<16}{:<32}{}\n", name, meaning, figure);
}

void AppendTable(Lines& out, const NamedTable& named) {
  const ContingencyTable& t = named.table;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "{}\n", named.name);
  fmt::format_to(append, kRow, "", "left in inbox", "called spam", "all");
  fmt::format_to(append, kRow, "really ham", t.ham_as_ham, t.ham_as_spam, t.ham());
  fmt::format_to(append, kRow, "really spam", t.spam_as_ham, t.spam_as_spam, t.spam());
  if (named.unsure) {
    fmt::format_to(append, "  left in inbox, but unsure: {} of the ham, {} of the spam\n", named.unsure->ham,
                   named.unsure->spam);
  }
  const std::string_view missing = MissingClass(t.ham(), t.spam());
  AppendFigure(out, "hm%", "ham called spam",
               FormatOr(MisclassificationRate(t.ham_as_spam, t.ham()), "no ham in these results"));
  AppendFigure(out, "sm%", "spam left in the inbox",
               FormatOr(MisclassificationRate(t.spam_as_ham, t.spam()), "no spam in these results"));
  AppendFigure(out, "lam%", "both, averaged as log-odds",
               FormatOr(LogisticAverageMisclassification(t), missing));
  fmt::format_to(append, "  precision {}, recall {}, F1 {}, MCC {}\n\n", FormatRatio(Precision(t)),
                 FormatRatio(Recall(t)), FormatRatio(F1(t)), FormatRatio(MatthewsCorrelation(t)));
}

void AppendProbabilities(Lines& out, const ProbabilityFigures& figures, uint64_t messages) {
  fmt::format_to(std::back_inserter(out), "\nprobabilities{}\n",
                 figures.messages == messages
                     ? std::string()
                     : fmt::format(" of {} of the {} messages", figures.messages, messages));
  AppendFigure(out, "log-loss", "nats per message", fmt::format("{:9.5f}", figures.log_loss));
  AppendFigure(out, "Brier score", "mean squared error", fmt::format("{:9.5f}", figures.brier));
  AppendFigure(out, "calibration", "mean |predicted − observed|",
               fmt::format("{:9.5f}", figures.calibration_error));
}

void AppendCosts(Lines& out, const Summary& summary) {
  const double ham_cost = *summary.options.ham_cost;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "\ncost per message, if a lost ham costs {:g} and a spam in the inbox 1\n",
                 ham_cost);
  const auto line = [&](std::string_view name, const ContingencyTable& table) {
    const std::optional<double> cost = ExpectedCost(table, ham_cost);
    fmt::format_to(append, "  {:<38}{}\n", name,
                   cost ? fmt::format("{:.6f}: {} ham lost, {} spam in the inbox", *cost, table.ham_as_spam,
                                      table.spam_as_ham)
                        : "not defined: no messages in these results");
  };
  for (const NamedTable& named : summary.tables) line(named.name, named.table);
  const std::optional<double>& score = summary.cheapest->score;
  line(score ? fmt::format("best: spam if score ≥ {:.9g}", *score) : "best: nothing called spam",
       summary.cheapest->table);
}

}  // namespace

std::string OrDash(const std::optional<double>& figure) {
  return figure ? fmt::format("{:.4f}", *figure) : "-";
}

std::string FormatText(const Summary& summary) {
  Lines out;
  fmt::format_to(std::back_inserter(out), "{} message{}\n\n", summary.messages,
                 summary.messages == 1 ? "" : "s");
  for (const NamedTable& table : summary.tables) AppendTable(out, table);
  fmt::format_to(std::back_inserter(out), "at any threshold\n");
  const std::string_view missing =
      summary.messages == 0 ? "no messages in these results" : "these results hold one class only";
  AppendFigure(
      out, "(1−ROCA)%",
      summary.options.ties == Ties::kTrec ? "ham above a spam, ties as TREC" : "ham scored above a spam",
      FormatOr(summary.roc_area_above, missing));
  for (const OperatingPoint& point : summary.operating_points) {
    AppendFigure(out, fmt::format("sm% at hm% {:g}", point.hm_percent),
                 fmt::format("spam left, {} of {} ham lost", point.ham_lost, summary.ham),
                 FormatOr(point.sm_percent, missing));
  }
  if (summary.probabilities) AppendProbabilities(out, *summary.probabilities, summary.messages);
  if (summary.cheapest) AppendCosts(out, summary);
  const auto append = std::back_inserter(out);
  if (!summary.curve.empty()) fmt::format_to(append, "\n{}", FormatCurve(summary.curve));
  if (!summary.groups.empty())
    fmt::format_to(append, "\n{}", FormatGroups(summary.grouped_by, summary.groups));
  return fmt::to_string(out);
}

}  // namespace thresher::eval
