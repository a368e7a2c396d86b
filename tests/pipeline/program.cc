#include "tests/pipeline/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

const TestDirectory& Scratch() {
  static const TestDirectory directory;
  return directory;
}

fs::path NewScratchFile(std::string_view name) {
  static std::atomic<int> count{0};
  return Scratch().path() / (std::string(name) + std::to_string(count++));
}

}  // namespace

RunningThresher::RunningThresher(const std::vector<std::string>& arguments, As user)
    : out_(NewScratchFile("out")), err_(NewScratchFile("err")) {
  // A test that writes to a program that has ended must see an error, not die.
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> words = {THRESHER_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // Nobody could not look into our folder.
  const std::string home = user == As::kNobody ? "/nonexistent" : Scratch().path().string();
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(pipe_ends[0], STDIN_FILENO);
    const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::setenv("HOME", home.c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", home.c_str(), 1);
    ::setenv("XDG_DATA_HOME", home.c_str(), 1);
    if (user == As::kNobody && ::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(126);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(pipe_ends[0]);
  in_ = pipe_ends[1];
}

RunningThresher::RunningThresher(RunningThresher&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(other.out_),
      err_(other.err_) {}

RunningThresher::~RunningThresher() {
  if (pid_ > 0) {
    Kill();
    Finish();
  }
}

void RunningThresher::Kill() { ::kill(pid_, SIGKILL); }

Ran RunningThresher::Finish(std::string_view input) {
  while (!input.empty()) {
    const ssize_t count = ::write(in_, input.data(), input.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;  // it has ended without reading all
    input.remove_prefix(static_cast<size_t>(count));
  }
  ::close(std::exchange(in_, -1));
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ReadBytes(out_), ReadBytes(err_)};
}

Ran RunThresher(const std::vector<std::string>& arguments, std::string_view input, As user) {
  return RunningThresher(arguments, user).Finish(input);
}

std::string ReadBytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace thresher::pipeline
