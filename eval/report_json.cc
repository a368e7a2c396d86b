#include "eval/report_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace thresher::eval {
namespace {

using nlohmann::ordered_json;

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
  ordered_json json = {{"first", difference->first},
                       {"second", difference->second},
                       {"difference", difference->value()},
                       {"low", nullptr},
                       {"high", nullptr}};
  if (const auto& interval = difference->interval) {
    json["low"] = interval->low;
    json["high"] = interval->high;
  }
  return json;
}

ordered_json ToJson(const Discordance& discordance) {
  return {{"only_first_wrong", discordance.only_first_wrong},
          {"only_second_wrong", discordance.only_second_wrong},
          {"p_value", discordance.p_value}};
}

ordered_json ToJson(const NamedTable& named, std::optional<double> ham_cost) {
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
          {"precision", OrNull(Precision(table))},
          {"recall", OrNull(Recall(table))},
          {"f1", OrNull(F1(table))},
          {"mcc", OrNull(MatthewsCorrelation(table))},
          {"expected_cost", ham_cost ? OrNull(ExpectedCost(table, *ham_cost)) : nullptr}};
}

ordered_json ToJson(const PartFigures& part) {
  const ContingencyTable& table = part.table;
  ordered_json json = {{"messages", part.messages()},
                       {"ham_as_ham", table.ham_as_ham},
                       {"ham_as_spam", table.ham_as_spam},
                       {"spam_as_ham", table.spam_as_ham},
                       {"spam_as_spam", table.spam_as_spam}};
  const auto lam = LogisticAverageMisclassification(table);
  json["hm_percent"] = OrNull(PercentWrong(table.ham_as_spam, table.ham()));
  json["sm_percent"] = OrNull(PercentWrong(table.spam_as_ham, table.spam()));
  json["lam_percent"] = lam ? ordered_json(lam->value) : ordered_json(nullptr);
  json["roc_area_above_percent"] = OrNull(part.roc_area_above);
  json["log_loss"] = OrNull(part.log_loss);
  return json;
}

ordered_json ToJson(const std::vector<CurvePoint>& curve) {
  ordered_json points = ordered_json::array();
  for (const CurvePoint& point : curve)
    points.push_back(
        {{"messages", point.messages}, {"window", ToJson(point.window)}, {"so_far", ToJson(point.so_far)}});
  return points;
}

ordered_json ToJson(const std::vector<GroupFigures>& groups) {
  ordered_json parts = ordered_json::array();
  for (const GroupFigures& group : groups)
    parts.push_back({{"name", group.name}, {"figures", ToJson(group.figures)}});
  return parts;
}

ordered_json CheapestOf(const Summary& summary) {
  if (!summary.cheapest) return nullptr;
  const Threshold& threshold = *summary.cheapest;
  return {{"ham_cost", *summary.options.ham_cost},
          {"score", OrNull(threshold.score)},
          {"ham_lost", threshold.table.ham_as_spam},
          {"spam_seen", threshold.table.spam_as_ham},
          {"expected_cost", OrNull(ExpectedCost(threshold.table, *summary.options.ham_cost))}};
}

ordered_json MethodOf(const std::optional<RocArea>& area) {
  if (!area) return nullptr;
  switch (area->interval_by) {
    case RocArea::By::kDeLong:
      return "delong";
    case RocArea::By::kBootstrap:
      return "bootstrap";
    case RocArea::By::kClopperPearson:
      break;
  }
  return "clopper-pearson";
}

}  // namespace

nlohmann::ordered_json OrNull(const std::optional<double>& figure) {
  return figure ? ordered_json(*figure) : ordered_json(nullptr);
}

nlohmann::ordered_json ToJson(const Summary& summary) {
  ordered_json tables = ordered_json::array();
  for (const NamedTable& table : summary.tables) tables.push_back(ToJson(table, summary.options.ham_cost));
  ordered_json points = ordered_json::array();
  for (const OperatingPoint& point : summary.operating_points)
    points.push_back({{"hm_percent", point.hm_percent},
                      {"ham_lost", point.ham_lost},
                      {"sm_percent", OrNull(point.sm_percent)}});
  ordered_json report = {{"schema", "thresher-summary/1"},
                         {"messages", summary.messages},
                         {"tables", std::move(tables)},
                         {"roc_area_above_percent", ToJson(summary.roc_area_above)},
                         {"ties", summary.options.ties == Ties::kTrec ? "trec" : "half"},
                         {"interval", MethodOf(summary.roc_area_above)},
                         {"operating_points", std::move(points)},
                         {"cheapest_threshold", CheapestOf(summary)},
                         {"probabilities", ToJson(summary.probabilities)}};
  if (!summary.curve.empty()) report["curve"] = ToJson(summary.curve);
  if (!summary.groups.empty())
    report["groups"] = {{"by", summary.grouped_by}, {"parts", ToJson(summary.groups)}};
  return report;
}

nlohmann::ordered_json ToJson(const Comparison& comparison, std::string_view first, std::string_view second) {
  return {{"schema", "thresher-comparison/1"},
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
            {"all", ToJson(comparison.all)}}}};
}

}  // namespace thresher::eval
