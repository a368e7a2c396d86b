// Runs the commands of a filter under test, one at a time: bounded in time and output, with nothing left
// behind.
//
// Used by TrecFilter. A command gets an empty standard input, the folder as its working directory and its
// HOME, and no shell in between. What it leaves running in its process group ends with it; what has detached
// itself (a server that a filter keeps) ends with this object. Boost.Process knows neither what a process
// used nor those it left behind.
//
// An interrupt (SIGINT, SIGTERM, …) ends the command in hand; it is delivered when this object goes away.
// REQUIRES: a process with one thread, and no other child processes made while this object lives.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"

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
  kOutput,   // killed: it said more than anybody asked for
};

struct Ended {
  Ending how = Ending::kExit;
  int code = 0;           // of the exit, or the signal's
  std::string out;        // no more than the limit
  std::string complaint;  // the beginning of its standard error
  double seconds = 0;
};

class CommandRunner {
 public:
  CommandRunner(std::filesystem::path folder, const CommandLimits& limits);
  ~CommandRunner();
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  // words: the absolute path of the program, and its arguments. An error if the run is interrupted, or the
  // system has no process left.
  Result<Ended> Run(const std::vector<std::string>& words);

  // Kills whatever any command left running.
  void EndAll();

  // The most memory that any process had until its end, as far as somebody waited for it.
  long peak_kib() const { return peak_kib_; }

 private:
  struct Pipes;
  [[noreturn]] void Become(const std::vector<std::string>& words, const Pipes& pipes) const;
  Ending Follow(pid_t child, int process, Pipes& pipes, Ended* ended);
  // Children of this process that no longer have the parent they were made by.
  std::vector<pid_t> Strays(pid_t child) const;
  void ReapStrays(pid_t child);
  void Note(const rusage& usage);

  std::filesystem::path folder_;
  CommandLimits limits_;
  std::vector<pid_t> others_;  // children of before
  sigset_t mask_before_{};
  int interrupts_ = -1;  // readable while one is pending
  long peak_kib_ = 0;
};

}  // namespace thresher::pipeline
