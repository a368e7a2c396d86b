// Looks for taught messages with a doubtful label, for the daemon's page: `thresher doubt --json` in a
// process of its own.
//
// That takes seconds and the memory of a second model, and reads the store as any reader does; the daemon's
// threads need not wait for it. One run at a time; its result stays until the next one begins. Used by the
// HTTP interface. Thread-safety: any threads.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace thresher::pipeline {

class DoubtRun {
 public:
  // The command and its arguments, which prints JSON; `--set` and the model's name follow.
  explicit DoubtRun(std::vector<std::string> command) : command_(std::move(command)) {}
  // Ends a run that goes on.
  ~DoubtRun();
  DoubtRun(const DoubtRun&) = delete;
  DoubtRun& operator=(const DoubtRun&) = delete;

  // Begins a run for this model unless one goes on; whether one of this model goes on now. Throws
  // std::system_error if there can be no thread for it.
  bool Start(const std::string& model);
  // Of this model, if the last run was of it: {"running": …, "time": seconds since 1970 when it ended, or
  // null, "error": why it failed, or null, "found": what it printed, or null}
  nlohmann::ordered_json State(const std::string& model) const;

 private:
  void Run();
  // Nothing if the run was ended; what it wrote to standard output and error.
  void Finish(int status, const std::string& out, const std::string& err);

  std::vector<std::string> command_;
  std::thread thread_;

  mutable std::mutex mutex_;  // of what follows
  std::string model_;         // of the last run
  bool is_running_ = false;
  bool stop_ = false;
  pid_t pid_ = 0;  // of the process, until it was waited for
  nlohmann::ordered_json time_ = nullptr;
  nlohmann::ordered_json error_ = nullptr;
  nlohmann::ordered_json found_ = nullptr;
};

}  // namespace thresher::pipeline
