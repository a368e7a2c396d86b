// Measures the processor time of a piece of code.
//
// Used by the programs of this folder. Thread-safety: pure functions.
#pragma once

#include <ctime>

namespace thresher::bench {

// Processor time of this thread, so that other work on the machine has little effect.
inline double ThreadSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Body>
double Seconds(Body body) {
  const double start = ThreadSeconds();
  body();
  return ThreadSeconds() - start;
}

}  // namespace thresher::bench
