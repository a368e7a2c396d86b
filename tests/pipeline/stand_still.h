// A program that answers nothing, for tests of those who ask it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <csignal>

namespace thresher::pipeline {

// Of a child of this process. When it returns, each of its threads stands still: kill alone returns while
// they may still answer. SIGCONT lets it go on.
inline void StandStill(pid_t pid) {
  ASSERT_EQ(::kill(pid, SIGSTOP), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
  ASSERT_TRUE(WIFSTOPPED(status));
}

}  // namespace thresher::pipeline
