// What a filter under test says of a message, and the ways in which it can fail to.
//
// Thread-safety: plain values and pure functions.
#pragma once

#include <string>
#include <string_view>

#include "eval/outcome.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// Of a command; how a report names it: NameOf.
enum class Failure {
  kExitCode,    // other than 0
  kSignal,      // it crashed
  kTimeout,     // it was killed
  kTooMuch,     // output; it was killed
  kUnreadable,  // output
  kNotFinite,   // score
};
inline constexpr size_t kFailures = 6;

std::string_view NameOf(Failure failure);

// As it stands here, what a message gets that the filter failed on.
struct Answer {
  bool spam = false;
  double score = 0;
  double probability = eval::Outcome::kUnknown;
  std::string auxiliary;  // tfile: handed back when the message is trained
};

// The first line of `output` that is not blank: "class=spam score=0.97 tfile=…". Fields stand in any order;
// probability= may be among them, others are passed over.
tl::expected<Answer, Failure> ParseAnswer(std::string_view output);

}  // namespace thresher::pipeline
