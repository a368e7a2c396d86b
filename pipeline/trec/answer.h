// The answer of a filter under test about a message, and the ways in which it can fail.
//
// Called by TrecFilter. Thread-safety: plain values and pure functions.
#pragma once

#include <string>
#include <string_view>

#include "eval/outcome.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// How a command failed. Reports use NameOf.
enum class Failure {
  kExitCode,    // other than 0
  kSignal,      // it crashed
  kTimeout,     // it was killed
  kTooMuch,     // too much output; it was killed
  kUnreadable,  // malformed output
  kNotFinite,   // the score is not finite
};
inline constexpr size_t kFailures = 6;

std::string_view NameOf(Failure failure);

// The default values are used for a message on which the filter failed.
struct Answer {
  bool spam = false;
  double score = 0;
  double probability = eval::Outcome::kUnknown;
  std::string auxiliary;  // tfile: passed to the filter again when the message is trained
};

// Parses the first line of `output` that is not blank: "class=spam score=0.97 tfile=…". Fields may have any
// order, probability= may be one of them, others are ignored.
tl::expected<Answer, Failure> ParseAnswer(std::string_view output);

}  // namespace thresher::pipeline
