// The report of a replay as text, JSON or plots.
//
// Called by the replay command. Thread-safety: pure functions, except that they write to `to`.
#pragma once

#include <cstdio>
#include <string>

#include "eval/html_report.h"
#include "eval/report.h"
#include "pipeline/trec/experiment.h"
#include "pipeline/trec/split.h"
#include "pipeline/trec/stress.h"

namespace thresher::pipeline {

// What the command line asked for.
struct ReplayRequest {
  std::string index;
  Stress stress;
  std::string feedback = "all";  // value of --feedback
  double self_train = 0;
  Split split;
  eval::SummaryOptions figures;
};

void PrintReplayText(const ReplayRequest& request, const ReplayRun& run, std::FILE* to);
void PrintReplayJson(const ReplayRequest& request, const ReplayRun& run, std::FILE* to);
eval::HtmlRun DrawReplay(const ReplayRequest& request, const ReplayRun& run, eval::WorstErrors worst);

}  // namespace thresher::pipeline
