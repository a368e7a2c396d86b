// What a replay is summed up by, as text, JSON or plots.
//
// Called by the replay command. Thread-safety: pure functions but for what they write to.
#pragma once

#include <cstdio>
#include <string>

#include "eval/html_report.h"
#include "eval/report.h"
#include "pipeline/experiment.h"
#include "pipeline/split.h"
#include "pipeline/stress.h"

namespace thresher::pipeline {

// What was asked for.
struct ReplayRequest {
  std::string index;
  Stress stress;
  std::string feedback = "all";  // as the command line names it
  Split split;
  eval::SummaryOptions figures;
};

void PrintReplayText(const ReplayRequest& request, const ReplayRun& run, std::FILE* to);
void PrintReplayJson(const ReplayRequest& request, const ReplayRun& run, std::FILE* to);
eval::HtmlRun DrawReplay(const ReplayRequest& request, const ReplayRun& run);

}  // namespace thresher::pipeline
