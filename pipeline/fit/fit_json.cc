#include "pipeline/fit/fit_json.h"

#include <nlohmann/json.hpp>

namespace thresher::pipeline {

nlohmann::ordered_json PointJson(const learners::batch::Progress& at, double seconds) {
  return {{"epochs", at.epochs},    {"passes", at.passes}, {"data_accesses", at.data_accesses},
          {"objective", at.primal}, {"gap", at.gap},       {"nonzeros", at.nonzeros},
          {"seconds", seconds}};
}

}  // namespace thresher::pipeline
