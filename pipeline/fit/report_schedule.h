// At which epochs a fit reports, and may end by its gap: a function of the epoch alone. So a resumed fit ends
// with the same bits as one that was not interrupted.
//
// Called by fitting.cc and pipeline/distributed. Thread-safety: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/batch/solver.h"

namespace thresher::pipeline {

// Each of the first epochs, then whenever their number has grown by an eighth.
inline bool IsReportDue(uint64_t epoch) {
  constexpr uint64_t kShare = 8;
  uint64_t due = 0;
  while (due < epoch) due += 1 + due / kShare;
  return due == epoch;
}

// What report() returns, when it may be that no report is due. Then it leaves `memory` as it was: a better
// bound that an uninterrupted fit would not know could end the fit earlier.
template <class Report>
learners::batch::Progress ReportOutOfTurn(const std::vector<std::span<double>>& memory,
                                          const Report& report) {
  std::vector<std::vector<double>> before;
  before.reserve(memory.size());
  for (const std::span<double> part : memory) before.emplace_back(part.begin(), part.end());
  const learners::batch::Progress progress = report();
  for (size_t i = 0; i < memory.size() && !IsReportDue(progress.epochs); ++i)
    std::ranges::copy(before[i], memory[i].begin());
  return progress;
}

}  // namespace thresher::pipeline
