// The score that clients of SpamAssassin and rspamd expect, from a probability.
//
// It is 5 plus the distance of the probability from thresholds.spam in log-odds, so that a message has at
// least 5 if and only if its verdict is Spam. Rounded down to one decimal, which keeps that; at most ±99.9.
// Called by marks.cc, the spamd protocol and the HTTP interface. Thread-safety: a pure function.
#pragma once

#include <string_view>

#include "pipeline/delivery/judged.h"

namespace thresher::pipeline {

inline constexpr double kRequiredScore = 5;

double SpamScore(const Judged& judged);

// The verdict as a name of a rule.
constexpr std::string_view SymbolOf(Verdict verdict) {
  return verdict == Verdict::kSpam  ? "THRESHER_SPAM"
         : verdict == Verdict::kHam ? "THRESHER_HAM"
                                    : "THRESHER_UNSURE";
}

}  // namespace thresher::pipeline
