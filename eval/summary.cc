#include <utility>

#include "eval/report.h"

namespace thresher::eval {

Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes) {
  return {.tables = std::move(tables),
          .messages = outcomes.size(),
          .roc_area_above = RocAreaAboveWithInterval(outcomes),
          .sm_at_hm_01 = SpamMisclassificationAt(outcomes, 0.1)};
}

}  // namespace thresher::eval
