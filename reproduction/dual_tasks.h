// The data set and the optimum for all experiments with dual coordinate ascent.
//
// Shalev-Shwartz & Zhang (2013) use CCAT of RCV1; these experiments use the 20 newsgroups. The paper's λ are
// for about 780,000 examples. What matters is λn, so experiments use the paper's λ and also the λ that gives
// the paper's λn. Used by the experiments dual_ascent_*.cc and ball_text.cc. Thread-safety: pure functions.
#pragma once

#include <string>

#include "reproduction/batch_run.h"
#include "reproduction/experiments.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

// The words of the posts, examples of norm 1; in the quick size synthetic text.
DataSet DualData(const Setting& setting);

inline constexpr double kExamplesOfCcat = 781'265;

// A lower bound of the minimum that the solver "sdca" approaches with these options, within 1e-10 or as close
// as 2,000 passes come.
double Optimum(const Matrix& matrix, const learners::OptionValues& options, uint64_t entries);

// Runs the solver "sdca" as the papers describe it: without shrinking, each pass visits every example.
Trace RunSdca(learners::OptionValues options, const Matrix& matrix, const RunLimit& limit);

// The objective minus `optimum`, over passes; a pass is two accesses to each entry.
Series Suboptimality(const Trace& trace, double optimum, uint64_t entries);

}  // namespace thresher::reproduction
