// Processor time of a program and all processes that it started.
//
// Used by the program serve_load. Thread-safety: any thread.
#pragma once

#include <sys/types.h>

namespace thresher::bench {

// Of this process.
double OwnSeconds();
// Of `root`, what descends from it, and what descended and was waited for.
double SecondsOfTree(pid_t root);

}  // namespace thresher::bench
