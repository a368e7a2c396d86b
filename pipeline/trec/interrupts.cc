#include "pipeline/trec/interrupts.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>

namespace thresher::pipeline {
namespace {

sigset_t SignalsThatEndTheProcess() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Interrupts::Interrupts() {
  const sigset_t signals = SignalsThatEndTheProcess();
  ::pthread_sigmask(SIG_BLOCK, &signals, &mask_before_);
  descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
}

Interrupts::~Interrupts() {
  ::close(descriptor_);
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

bool Interrupts::IsPending() const {
  pollfd waiting{descriptor_, POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

}  // namespace thresher::pipeline
