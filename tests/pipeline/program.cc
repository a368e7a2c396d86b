#include "tests/pipeline/program.h"

#include <fcntl.h>
#include <spawn.h>
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

const TestDirectory& Scratch() {
  static const TestDirectory directory;
  return directory;
}

fs::path NewScratchFile(std::string_view name) {
  static std::atomic<int> count{0};
  return Scratch().path() / (std::string(name) + std::to_string(count++));
}

// What the program sees of its environment. Nobody could not look into our folder.
std::vector<std::string> VariablesWithHome(As user) {
  const std::string home = user == As::kNobody ? "/nonexistent" : Scratch().path().string();
  std::vector<std::string> variables = {"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home};
  for (char** next = environ; *next != nullptr; ++next) {
    const std::string_view variable = *next;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (name != "HOME" && name != "XDG_CONFIG_HOME" && name != "XDG_DATA_HOME")
      variables.emplace_back(variable);
  }
  return variables;
}

// As posix_spawn takes words: ended by a null pointer, valid as long as `words` are.
std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What the program reads and what its user writes into.
struct InputEnds {
  int read;
  int written;
};

InputEnds MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return {ends[0], ends[1]};
}

InputEnds MakeTerminal() {
  const int user = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (user < 0 || ::grantpt(user) != 0 || ::unlockpt(user) != 0) throw std::runtime_error("terminal");
  const int program = ::open(::ptsname(user), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (program < 0) throw std::runtime_error("terminal");
  return {program, user};
}

}  // namespace

RunningThresher::RunningThresher(const std::vector<std::string>& arguments, As user, Input input)
    : input_(input), out_(NewScratchFile("out")), err_(NewScratchFile("err")) {
  // A test that writes to a program that has ended must see an error, not die.
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> words;
  const bool gives_up_root = user == As::kNobody && ::geteuid() == 0;
  if (gives_up_root) words = {"/usr/bin/setpriv", "--reuid=nobody"};
  words.emplace_back(THRESHER_PROGRAM);
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = VariablesWithHome(user);
  const InputEnds ends = input == Input::kTerminal ? MakeTerminal() : MakePipe();
  // Not fork: to copy the page tables of a sanitized program takes longer than what most tests run.
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends.read, STDIN_FILENO);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out_.c_str(), kNew, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err_.c_str(), kNew, 0600);
  // A shell lets what runs in the background ignore these, and a program keeps ignoring them.
  sigset_t interrupts;
  ::sigemptyset(&interrupts);
  ::sigaddset(&interrupts, SIGINT);
  ::sigaddset(&interrupts, SIGQUIT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &interrupts);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failed = ::posix_spawn(&pid_, words[0].c_str(), &files, &attributes, Pointers(words).data(),
                                   Pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends.read);
  in_ = ends.written;
  if (failed != 0) throw std::runtime_error("cannot start " + words[0]);
}

RunningThresher::RunningThresher(RunningThresher&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      input_(other.input_),
      out_(other.out_),
      err_(other.err_) {}

RunningThresher::~RunningThresher() {
  if (pid_ > 0) {
    Kill();
    Finish();
  }
}

void RunningThresher::Kill() {
  ::kill(pid_, SIGKILL);
  siginfo_t ended;
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

Ran RunningThresher::Finish(std::string_view input) {
  while (!input.empty()) {
    const ssize_t count = ::write(in_, input.data(), input.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;  // it has ended without reading all
    input.remove_prefix(static_cast<size_t>(count));
  }
  // A terminal that is closed would end the program's input by an error.
  if (input_ == Input::kPipe) ::close(std::exchange(in_, -1));
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (in_ >= 0) ::close(std::exchange(in_, -1));
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ReadBytes(out_), ReadBytes(err_)};
}

Ran RunThresher(const std::vector<std::string>& arguments, std::string_view input, As user) {
  return RunningThresher(arguments, user).Finish(input);
}

Ran RunAtTerminal(const std::vector<std::string>& arguments, std::string_view input) {
  constexpr char kControlD[] = "\x04";
  return RunningThresher(arguments, As::kSelf, RunningThresher::Input::kTerminal)
      .Finish(std::string(input) + kControlD);
}

std::string RunningThresher::Complaints() const { return ReadBytes(err_); }

std::string ReadBytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace thresher::pipeline
