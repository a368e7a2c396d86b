#include "pipeline/serve/doubt_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "pipeline/wall_clock.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kMostBytes = size_t{16} << 20;  // of what it prints
constexpr int kLowestPriority = 19;

class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    to_read_ = storage::Descriptor(ends[0]);
    to_write_ = storage::Descriptor(ends[1]);
  }

  int to_write() const { return to_write_.number(); }
  void CloseWriting() { to_write_.Close(); }
  // Up to the end; what is too much is dropped.
  std::string ReadAll() const {
    std::string all;
    std::array<char, 16384> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is read into
    while (true) {
      const ssize_t count = ::read(to_read_.number(), part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return all;
      if (all.size() < kMostBytes) all.append(part.data(), static_cast<size_t>(count));
    }
  }

 private:
  storage::Descriptor to_read_;
  storage::Descriptor to_write_;
};

// Returns the process, or 0 with the reason in *reason.
pid_t Spawn(const std::vector<std::string>& command, const Pipe& out, const Pipe& err, int* reason) {
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: as POSIX
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out.to_write(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.to_write(), STDERR_FILENO);
  pid_t pid = 0;
  *reason = ::posix_spawn(&pid, words.front(), &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return *reason == 0 ? pid : 0;
}

}  // namespace

DoubtRun::~DoubtRun() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    if (pid_ != 0) ::kill(pid_, SIGKILL);
  }
  if (thread_.joinable()) thread_.join();
}

bool DoubtRun::Start(const std::string& model) {
  const std::lock_guard lock(mutex_);
  if (is_running_ || stop_) return model == model_;
  if (thread_.joinable()) thread_.join();  // it has nothing left to do
  // Waits for this lock. If there can be no thread, nothing has changed.
  thread_ = std::thread([this] { Run(); });
  model_ = model;
  is_running_ = true;
  time_ = error_ = found_ = nullptr;
  return true;
}

void DoubtRun::Run() {
  Pipe out;
  Pipe err;
  {
    const std::lock_guard lock(mutex_);
    int reason = 0;
    std::vector<std::string> command = command_;
    command.insert(command.end(), {"--set", "store.model=" + model_});
    pid_ = stop_ ? 0 : Spawn(command, out, err, &reason);
    if (pid_ == 0) {
      error_ = fmt::format("{} cannot be run: {}", command_.front(), std::strerror(reason));
      is_running_ = false;
      return;
    }
    // Mail goes first. Where that is not allowed, they share.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid_), kLowestPriority);
  }
  out.CloseWriting();
  err.CloseWriting();
  const std::string printed = out.ReadAll();
  const std::string complaint = err.ReadAll();
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  Finish(ended.si_code == CLD_EXITED ? ended.si_status : -1, printed, complaint);
}

void DoubtRun::Finish(int status, const std::string& out, const std::string& err) {
  const std::lock_guard lock(mutex_);
  // Only now the number may belong to another process.
  ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  is_running_ = false;
  time_ = UnixSeconds();
  auto found = nlohmann::ordered_json::parse(out, nullptr, false);
  if (status == 0 && found.is_object()) {
    found_ = std::move(found);
    error_ = nullptr;
  } else {
    error_ = err.empty() ? "the search ended without a result" : err.substr(0, err.find('\n'));
  }
}

nlohmann::ordered_json DoubtRun::State(const std::string& model) const {
  const std::lock_guard lock(mutex_);
  if (model != model_) return {{"running", false}, {"time", nullptr}, {"error", nullptr}, {"found", nullptr}};
  return {{"running", is_running_}, {"time", time_}, {"error", error_}, {"found", found_}};
}

}  // namespace thresher::pipeline
