#include "pipeline/trec/interrupts.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <cstring>
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

Result<std::unique_ptr<Interrupts>> Interrupts::HoldBack() {
  const sigset_t signals = SignalsThatEndTheProcess();
  storage::Descriptor pending(::signalfd(-1, &signals, SFD_CLOEXEC));
  if (!pending.is_open())
    return tl::unexpected(Error{kIo, fmt::format("cannot hold back signals: {}", std::strerror(errno))});
  sigset_t mask_before{};
  ::pthread_sigmask(SIG_BLOCK, &signals, &mask_before);
  return std::unique_ptr<Interrupts>(new Interrupts(mask_before, std::move(pending)));
}

Interrupts::~Interrupts() {
  pending_.Close();
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

bool Interrupts::IsPending() const {
  pollfd waiting{descriptor(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

}  // namespace thresher::pipeline
