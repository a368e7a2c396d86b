// The comparison of two result files as the eval command prints it.
//
// Called by eval.cc. Thread-safety: one thread.
#pragma once

#include <optional>
#include <string>

#include "eval/report.h"
#include "pipeline/commands/disagreement.h"
#include "pipeline/commands/opened_results.h"

namespace thresher::pipeline {

struct ComparisonFlags {
  eval::SummaryOptions figures;
  bool json = false;
  bool disagreements = false;  // list the messages that one filter got right and the other wrong
  std::string folder;          // of the index: relative paths of messages begin there
  bool document = false;       // as `replay --document`
  bool personal = false;       // as `replay --personal`
};

// A result file and its model, if that was stored.
struct ComparedFile {
  const ResultFile& file;
  std::optional<ModelPlace> model;
};

struct Compared {
  eval::Comparison comparison;
  bool is_whole;  // both files have the same messages
};

// Prints the comparison to standard output, and what is not in both files to standard error.
Compared PrintComparison(const ComparedFile& first, const ComparedFile& second, const ComparisonFlags& flags);

}  // namespace thresher::pipeline
