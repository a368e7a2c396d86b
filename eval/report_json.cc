#include <nlohmann/json.hpp>

#include "eval/report.h"

namespace thresher::eval {
namespace {

using nlohmann::ordered_json;

ordered_json ToJson(const std::optional<double>& figure) {
  return figure ? ordered_json(*figure) : ordered_json(nullptr);
}

ordered_json ToJson(const std::optional<Percentage>& figure) {
  if (!figure) return nullptr;
  return {{"value", figure->value}, {"low", figure->low}, {"high", figure->high}};
}

ordered_json ToJson(const std::optional<ProbabilityFigures>& figures) {
  if (!figures) return nullptr;
  ordered_json reliability = ordered_json::array();
  for (const ReliabilityBin& bin : figures->reliability) {
    reliability.push_back({{"messages", bin.messages},
                           {"mean_probability", bin.mean_probability},
                           {"spam_share", bin.spam_share},
                           {"spam_share_low", bin.spam_share_low},
                           {"spam_share_high", bin.spam_share_high}});
  }
  return {{"messages", figures->messages},
          {"log_loss", figures->log_loss},
          {"brier", figures->brier},
          {"calibration_error", figures->calibration_error},
          {"reliability", std::move(reliability)}};
}

ordered_json ToJson(const std::optional<Difference>& difference) {
  if (!difference) return nullptr;
  return {{"first", difference->first},
          {"second", difference->second},
          {"difference", difference->value()},
          {"low", difference->low},
          {"high", difference->high}};
}

ordered_json ToJson(const Discordance& discordance) {
  return {{"only_first_wrong", discordance.only_first_wrong},
          {"only_second_wrong", discordance.only_second_wrong},
          {"p_value", discordance.p_value}};
}

// A name of broken UTF-8 is shown as well as it can be: a report does not throw.
std::string Dump(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json ToJson(const NamedTable& named) {
  const ContingencyTable& table = named.table;
  ordered_json unsure = nullptr;
  if (named.unsure) unsure = {{"ham", named.unsure->ham}, {"spam", named.unsure->spam}};
  return {{"name", named.name},
          {"ham_as_ham", table.ham_as_ham},
          {"ham_as_spam", table.ham_as_spam},
          {"spam_as_ham", table.spam_as_ham},
          {"spam_as_spam", table.spam_as_spam},
          {"unsure", std::move(unsure)},
          {"hm_percent", ToJson(MisclassificationRate(table.ham_as_spam, table.ham()))},
          {"sm_percent", ToJson(MisclassificationRate(table.spam_as_ham, table.spam()))},
          {"lam_percent", ToJson(LogisticAverageMisclassification(table))},
          {"precision", ToJson(Precision(table))},
          {"recall", ToJson(Recall(table))},
          {"f1", ToJson(F1(table))},
          {"mcc", ToJson(MatthewsCorrelation(table))}};
}

}  // namespace

std::string FormatJson(const Summary& summary) {
  ordered_json tables = ordered_json::array();
  for (const NamedTable& table : summary.tables) tables.push_back(ToJson(table));
  ordered_json points = ordered_json::array();
  for (const OperatingPoint& point : summary.operating_points)
    points.push_back({{"hm_percent", point.hm_percent},
                      {"ham_lost", point.ham_lost},
                      {"sm_percent", ToJson(point.sm_percent)}});
  const ordered_json report = {
      {"schema", "thresher-summary/1"},        {"messages", summary.messages},
      {"tables", std::move(tables)},           {"roc_area_above_percent", ToJson(summary.roc_area_above)},
      {"operating_points", std::move(points)}, {"probabilities", ToJson(summary.probabilities)}};
  return Dump(report);
}

std::string FormatJson(const Comparison& comparison, std::string_view first, std::string_view second) {
  return Dump({{"schema", "thresher-comparison/1"},
               {"first", first},
               {"second", second},
               {"messages", comparison.messages},
               {"roc_area_above_percent", ToJson(comparison.roc_area_above)},
               {"hm_percent", ToJson(comparison.ham_misclassification)},
               {"sm_percent", ToJson(comparison.spam_misclassification)},
               {"lam_percent", ToJson(comparison.logistic_average)},
               {"mcnemar",
                {{"ham", ToJson(comparison.ham)},
                 {"spam", ToJson(comparison.spam)},
                 {"all", ToJson(comparison.all)}}}});
}

}  // namespace thresher::eval
