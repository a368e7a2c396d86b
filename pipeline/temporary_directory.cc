#include "pipeline/temporary_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// A signal that ends the whole group of processes leaves this one to its work.
[[noreturn]] void RemoveAtTheEnd(const fs::path& path, int alive) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) std::signal(signal, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::close(fd);  // nobody waits for its output
  char nothing = 0;
  while (::read(alive, &nothing, 1) < 0 && errno == EINTR) {
  }
  std::error_code ignored;
  fs::remove_all(path, ignored);
  ::_exit(0);
}

}  // namespace

Result<std::unique_ptr<TemporaryDirectory>> TemporaryDirectory::Make(std::string_view name) {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  std::string path = (folder / fmt::format("{}-XXXXXX", name)).string();
  if (!error && ::mkdtemp(path.data()) == nullptr) error.assign(errno, std::generic_category());
  if (error) {
    return tl::unexpected(
        Error{kCantCreate, fmt::format("{}: cannot make a temporary directory: {}", path, error.message())});
  }
  return std::unique_ptr<TemporaryDirectory>(new TemporaryDirectory(path));
}

TemporaryDirectory::TemporaryDirectory(fs::path path) : path_(std::move(path)) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // then it goes away with this object only
  remover_ = ::fork();
  if (remover_ == 0) {
    ::close(ends[1]);
    RemoveAtTheEnd(path_, ends[0]);
  }
  ::close(ends[0]);
  alive_ = ends[1];
}

TemporaryDirectory::~TemporaryDirectory() {
  if (alive_ >= 0) ::close(alive_);
  if (remover_ > 0) {
    while (::waitpid(remover_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace thresher::pipeline
