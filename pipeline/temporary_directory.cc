#include "pipeline/temporary_directory.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// Those that would end this process; nohup, for one, has it ignore one of them.
sigset_t EndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal);  // NOLINT(*-cast): the macro's
  }
  return signals;
}

// Other threads still write into it: moved away first, it is out of their reach, and what they make anew
// under its name goes next.
void RemoveWhileInUse(const fs::path& path) {
  const fs::path away = path.string() + "-ending";
  std::error_code gone;
  for (fs::rename(path, away, gone); !gone; fs::rename(path, away, gone)) {
    std::error_code ignored;
    fs::remove_all(away, ignored);
  }
}

}  // namespace

Result<std::unique_ptr<TemporaryDirectory>> TemporaryDirectory::Make(std::string_view name) {
  std::unique_ptr<TemporaryDirectory> made(new TemporaryDirectory());
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  std::string path = (folder / fmt::format("{}-XXXXXX", name)).string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return tl::unexpected(Error{
        kCantCreate, fmt::format("{}: cannot make a temporary directory: {}", path, std::strerror(errno))});
  }
  made->path_ = path;
  made->watcher_ = std::thread([&made = *made] { made.Watch(); });
  return made;
}

// From here on a signal waits for the watcher: none can come between the directory and it.
TemporaryDirectory::TemporaryDirectory() {
  signals_ = EndingSignals();
  sigaddset(&signals_, SIGUSR1);  // ours, to wake the watcher
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

TemporaryDirectory::~TemporaryDirectory() {
  if (watcher_.joinable()) {
    pthread_kill(watcher_.native_handle(), SIGUSR1);
    watcher_.join();
  }
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

// Ends the process as the signal would have, when the directory is gone.
void TemporaryDirectory::Watch() {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
  if (signal == SIGUSR1) return;
  RemoveWhileInUse(path_);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  ::raise(signal);
}

}  // namespace thresher::pipeline
