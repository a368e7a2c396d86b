// The options of eval and replay that say how figures are computed.
//
// Used by eval.cc and replay.cc. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "eval/report.h"
#include "pipeline/commands/command_line.h"

namespace thresher::pipeline {

class FigureFlags {
 public:
  void AddTo(Command command);
  eval::SummaryOptions Options() const;

 private:
  std::string ties_ = "half";
  std::string interval_ = "delong";
  uint64_t seed_ = eval::IntervalOptions().seed;
  std::optional<double> ham_cost_;
};

}  // namespace thresher::pipeline
