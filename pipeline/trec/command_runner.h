// Runs the commands of a filter under test, one at a time, with limits on time and output, and leaves no
// process behind.
//
// Called by TrecFilter. A command gets an empty standard input; its working directory and HOME are the
// folder; no shell starts it. Processes it leaves running in its process group end with it; a process that
// has detached itself (a filter's server) ends with this object. Boost.Process reports neither what a process
// used nor the processes it left behind.
//
// An interrupt (interrupts.h) ends the current command.
// Thread-safety: one thread. REQUIRES: it is the only one of the process, and no other child processes are
// made while this object lives.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/trec/interrupts.h"

struct rusage;

namespace thresher::pipeline {

struct CommandLimits {
  std::chrono::milliseconds time{60000};
  size_t output_bytes = size_t{64} << 10;
};

enum class Ending {
  kExit,
  kSignal,
  kTimeout,  // killed
  kOutput,   // killed: its output exceeded the limit
};

struct Ended {
  Ending how = Ending::kExit;
  int code = 0;           // of the exit, or the signal's
  std::string out;        // at most the limit
  std::string complaint;  // the beginning of its standard error
  double seconds = 0;
};

class CommandRunner {
 public:
  // `interrupts` must outlive this object.
  CommandRunner(std::filesystem::path folder, const CommandLimits& limits, const Interrupts& interrupts);
  ~CommandRunner();
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  // words: the absolute path of the program, and its arguments. An error if the run is interrupted or the
  // system cannot start a process.
  Result<Ended> Run(const std::vector<std::string>& words);

  // Kills the processes that commands left running.
  void EndAll();

  // The most memory that any process used, of those that were waited for.
  long peak_kib() const { return peak_kib_; }

 private:
  struct Pipes;
  [[noreturn]] void Become(const std::vector<std::string>& words, const Pipes& pipes) const;
  Ending Follow(pid_t child, int process, Pipes& pipes, Ended* ended);
  // Children of this process whose own parent has ended.
  std::vector<pid_t> Strays(pid_t child) const;
  void ReapStrays(pid_t child);
  void Note(const rusage& usage);

  std::filesystem::path folder_;
  CommandLimits limits_;
  const Interrupts& interrupts_;
  std::vector<pid_t> others_;  // children of this process before this object was made
  long peak_kib_ = 0;
};

}  // namespace thresher::pipeline
