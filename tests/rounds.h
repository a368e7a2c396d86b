// How long tests go on that try random moments or draws: scripts/soak makes them long, a sanitizer short.
#pragma once

#include <cstdlib>
#include <string>

namespace thresher {

// `in_tests`, or as many times that as THRESHER_SOAK says.
inline int Rounds(int in_tests) {
  const char* times = std::getenv("THRESHER_SOAK");
  return in_tests * (times == nullptr ? 1 : std::stoi(times));
}

// `draws`, or a third of them under a sanitizer, which is slow and sees as much in them.
#ifdef THRESHER_SANITIZED
constexpr int Draws(int draws) { return draws / 3; }
#else
constexpr int Draws(int draws) { return draws; }
#endif

}  // namespace thresher
