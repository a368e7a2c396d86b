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

ordered_json ToJson(const NamedTable& named) {
  const ContingencyTable& table = named.table;
  return {{"name", named.name},
          {"ham_as_ham", table.ham_as_ham},
          {"ham_as_spam", table.ham_as_spam},
          {"spam_as_ham", table.spam_as_ham},
          {"spam_as_spam", table.spam_as_spam},
          {"hm_percent", ToJson(MisclassificationRate(table.ham_as_spam, table.ham()))},
          {"sm_percent", ToJson(MisclassificationRate(table.spam_as_ham, table.spam()))},
          {"lam_percent", ToJson(LogisticAverageMisclassification(table))}};
}

}  // namespace

std::string FormatJson(const Summary& summary) {
  ordered_json tables = ordered_json::array();
  for (const NamedTable& table : summary.tables) tables.push_back(ToJson(table));
  const ordered_json report = {{"schema", "thresher-summary/1"},
                               {"messages", summary.messages},
                               {"tables", std::move(tables)},
                               {"roc_area_above_percent", ToJson(summary.roc_area_above)},
                               {"sm_percent_at_hm_percent_0.1", ToJson(summary.sm_at_hm_01)}};
  // A name of broken UTF-8 is shown as well as it can be: a report does not throw.
  return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace thresher::eval
