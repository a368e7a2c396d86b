// How long tests go on that try random moments: scripts/soak makes them long.
#pragma once

#include <cstdlib>
#include <string>

namespace thresher {

// `in_tests`, or as many times that as THRESHER_SOAK says.
inline int Rounds(int in_tests) {
  const char* times = std::getenv("THRESHER_SOAK");
  return in_tests * (times == nullptr ? 1 : std::stoi(times));
}

}  // namespace thresher
