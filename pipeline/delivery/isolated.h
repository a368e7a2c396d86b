// Work in a child process with a time limit. If it crashes or hangs, only its answer is lost.
//
// Called by `filter`, by way of isolated_verdict.h and for what it teaches. Thread-safety: one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

// What the two are called in errors.
struct IsolatedWords {
  std::string_view worker;
  std::string_view answer;
};

// What work() answers, as long as a pipe takes at once (4 KiB); or why there is no answer: its error, or
// "no ANSWER within … seconds", "the WORKER died of signal …". work() has no standard input and output.
// REQUIRES: the process has one thread.
Result<std::string> RunIsolated(const std::function<Result<std::string>()>& work, double timeout_seconds,
                                const IsolatedWords& words);

}  // namespace thresher::pipeline
