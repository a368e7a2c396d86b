// Probability of spam from a margin, learned online.
//
// An average of two: σ(margin), which is what logistic loss means by a margin, and σ(A·margin + B) with A and
// B learned from the examples (Platt scaling). The second counts as far as it has had the smaller log-loss.
//
// Called by the pipeline with each example's margin before the learner updates on it. Deterministic; no I/O.
// Thread-safety: a plain value.
#pragma once

#include <cstdint>

#include "learners/learner.h"

namespace thresher::learners {

// Trivially copyable, without padding: its bytes are persisted.
struct Calibration {
  double slope = 1;      // A > 0
  double intercept = 0;  // B
  uint64_t ham = 0;      // examples learned from
  uint64_t spam = 0;
  // Running medians of |margin| in each class: the unit of margins.
  double ham_scale = 0;
  double spam_scale = 0;
  // The Fisher information of the examples about (A, B), in which older examples decay.
  double slope_information = 0;
  double cross_information = 0;
  double intercept_information = 0;
  // Log-odds of the share that σ(A·margin + B) has: its log-loss below that of σ(margin), in which older
  // examples decay.
  double trust = -3;
  // ε: of the labels that it learns from, the share that is wrong.
  double share_wrong = 0.03;

  // Whether every number is finite, the slope above 0, and ε a share that Learn can leave.
  bool IsSound() const;

  // The share of σ(A·margin + B): 0 until 20 examples of each class were learned. `doubt`, in nats, is taken
  // from its log-odds where the examples are no sample of what is to be judged. REQUIRES: doubt >= 0.
  double Share(double doubt = 0) const;
  // Strictly inside (0,1) for finite margins, up to rounding; monotone in the margin.
  double Probability(double margin, double doubt = 0) const;

  // A non-finite margin changes nothing.
  void Learn(double margin, Label label);
};

}  // namespace thresher::learners
