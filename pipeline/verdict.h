// What thresher says of a message, and the thresholds that turn a probability into it.
//
// Used by every command that classifies. Thread-safety: plain values.
#pragma once

#include <string_view>

namespace thresher::pipeline {

enum class Verdict { kSpam, kHam, kUnsure };

constexpr std::string_view NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSpam:
      return "Spam";
    case Verdict::kHam:
      return "Ham";
    case Verdict::kUnsure:
      return "Unsure";
  }
  return "";
}

// Probabilities of spam in [0,1], ham ≤ spam.
struct Thresholds {
  double spam = 0.97;
  double ham = 0.2;

  // Of a probability alone; VerdictOf (model/score.h) also asks whether the model can tell anything. The spam
  // threshold is asked first: where both are equal no message is unsure.
  Verdict Decide(double probability) const {
    if (probability >= spam) return Verdict::kSpam;
    return probability <= ham ? Verdict::kHam : Verdict::kUnsure;
  }
};

}  // namespace thresher::pipeline
