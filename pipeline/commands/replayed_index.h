// The index of a command that replays one, ready to be replayed.
//
// Called by the commands replay, grid and jig. Thread-safety: one thread.
#pragma once

#include <string>

#include "pipeline/error.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/trec/split.h"
#include "pipeline/trec/stress.h"

namespace thresher::pipeline {

// Reads the index `path` ("-": standard input), Arranged. An error if it is malformed, has no message or none
// that can be read (kNoInput), or if the stress would change nothing (kUsage). Says on standard error if no
// line is left that is classified, or none that is taught: the figures then say less than they seem to.
Result<TrecIndex> OpenReplayedIndex(const std::string& path, const Split& split = {},
                                    const Stress& stress = {});

}  // namespace thresher::pipeline
