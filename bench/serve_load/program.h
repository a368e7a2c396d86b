// How a program of this folder ends that throws what it cannot go on with.
//
// Called by main of each. Thread-safety: one thread.
#pragma once

#include <csignal>
#include <cstdio>
#include <exception>

namespace thresher::bench {

// The exit code of `run`; 70, and what was thrown on standard error after the program's name, if it throws.
inline int RunProgram(const char* name, int (*run)(int, char**), int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // who writes to a connection that was closed is told
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    static_cast<void>(std::fprintf(stderr, "%s: %s\n", name, error.what()));
    return 70;
  }
}

}  // namespace thresher::bench
