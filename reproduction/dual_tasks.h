// What the experiments with dual coordinate ascent share: their data, and distances from the optimum.
//
// Shalev-Shwartz & Zhang (2013) run them on CCAT of RCV1, for which the 20 newsgroups stand here. Their λ are
// for some 780,000 examples; what matters is λn, so each experiment takes the paper's λ and the one with its
// λn. Thread-safety: pure functions.
#pragma once

#include <string>

#include "reproduction/batch_run.h"
#include "reproduction/experiments.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

// Words of posts, of norm 1; in quick size synthetic text.
DataSet DualData(const Setting& setting);

inline constexpr double kExamplesOfCcat = 781'265;

// A lower bound of the minimum of what the solver "sdca" minimises with these options, to 1e-10 or as near as
// 2,000 passes come.
double Optimum(const Matrix& matrix, const learners::OptionValues& options, uint64_t entries);

// The solver "sdca" as the papers have it: every example has its turn in each pass.
Trace RunSdca(learners::OptionValues options, const Matrix& matrix, const RunLimit& limit);

// The objective's distance from it, over passes; a pass is two accesses to each entry.
Series Suboptimality(const Trace& trace, double optimum, uint64_t entries);

}  // namespace thresher::reproduction
