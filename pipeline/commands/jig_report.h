// The summary of a run of another filter, as text or JSON.
//
// Called by the jig command. Thread-safety: pure functions but for what they write to.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/trec/jig.h"
#include "pipeline/trec/trec_filter.h"

namespace thresher::pipeline {

struct FilterRun {
  std::string index;
  std::string filter;  // its folder
  JigReport report;
  std::vector<eval::Outcome> outcomes;
};

// `filter` has run; its records are printed.
void PrintJigText(const FilterRun& run, const TrecFilter& filter, std::FILE* to);
void PrintJigJson(const FilterRun& run, const TrecFilter& filter, std::FILE* to);

}  // namespace thresher::pipeline
