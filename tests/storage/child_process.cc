#include "tests/storage/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

namespace thresher::storage {

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) std::abort();
  std::string program = STORAGE_CHILD;
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{program.data()};
  std::transform(words.begin(), words.end(), std::back_inserter(argv),
                 [](std::string& word) { return word.data(); });
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  const int failed = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  output_ = pipe_ends[0];
  if (failed != 0) std::abort();
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) KillAndDrain();
  close(output_);
}

std::string ChildProcess::ReadLine() {
  std::string line;
  for (char c = 0; read(output_, &c, 1) == 1 && c != '\n';) line.push_back(c);
  return line;
}

std::vector<std::string> ChildProcess::KillAndDrain() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  std::vector<std::string> lines;
  for (std::string line = ReadLine(); !line.empty(); line = ReadLine()) lines.push_back(line);
  return lines;
}

}  // namespace thresher::storage
