// What the system refuses ends the run, and is not taken for a failure of the filter.
#include "pipeline/trec/command_runner.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>

#include "pipeline/trec/temporary_directory.h"

namespace thresher::pipeline {
namespace {

// From now on this system call of this process fails, as for lack of descriptors.
void Deny(unsigned call) {
  sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EMFILE),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{.len = std::size(steps), .filter = steps};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    ::_exit(2);
}

bool SaysThatItCannotWatch() {
  const auto directory = TemporaryDirectory::Make("thresher-test-runner");
  if (!directory) return false;
  Deny(SYS_pidfd_open);
  CommandRunner runner((*directory)->path(), {.time = std::chrono::milliseconds(300)},
                       (*directory)->interrupts());
  const auto ran = runner.Run({"/bin/sleep", "1000"});
  return !ran && ran.error().message == "cannot run the filter: pidfd_open: Too many open files";
}

bool LeavesSignalsAsTheyWere() {
  Deny(SYS_signalfd4);
  if (TemporaryDirectory::Make("thresher-test-runner")) return false;
  sigset_t held_back{};
  ::pthread_sigmask(SIG_BLOCK, nullptr, &held_back);
  return sigismember(&held_back, SIGTERM) == 0;
}

TEST(CommandRunnerTest, ACommandThatCannotBeWatchedIsNoTimeout) {
  EXPECT_EXIT(::_exit(SaysThatItCannotWatch() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(CommandRunnerTest, SignalsThatNobodyWouldSeeAreNotHeldBack) {
  EXPECT_EXIT(::_exit(LeavesSignalsAsTheyWere() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace thresher::pipeline
