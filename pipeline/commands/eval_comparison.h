// Two result files side by side, as eval prints them.
//
// Called by the eval command. Thread-safety: pure functions but for what they write to.
#pragma once

#include <string>

#include "eval/report.h"
#include "pipeline/commands/opened_results.h"

namespace thresher::pipeline {

struct ComparisonFlags {
  eval::SummaryOptions figures;
  bool json = false;
  bool disagreements = false;  // list the messages that one got right and the other wrong
  std::string folder;          // that the paths of messages begin in
};

struct Compared {
  eval::Comparison comparison;
  bool is_whole;  // both hold the same messages
};

// Prints the comparison to standard output, and what is not in both to standard error.
Compared PrintComparison(const ResultFile& first, const ResultFile& second, const ComparisonFlags& flags);

}  // namespace thresher::pipeline
