// A progress line on a terminal: how much is done, how fast, and how long the rest takes. It is no longer
// than a line of the terminal. Prints nothing if standard error is not a terminal.
//
// Called by commands that take long. Thread-safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace thresher::pipeline {

class Progress {
 public:
  // `what` is the unit, in the plural: "messages". A total of 0 is not known.
  Progress(std::string what, uint64_t total);
  // Clears the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws at most ten times a second.
  void Set(uint64_t done);

 private:
  void Draw(uint64_t done, std::chrono::steady_clock::time_point now);

  std::string what_;
  uint64_t total_;
  bool shown_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace thresher::pipeline
