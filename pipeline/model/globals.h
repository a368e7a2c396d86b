// What a model learns besides weights: facts about what it was taught, the learner's own globals, which
// examples it may rehearse, and how many of the last ones it contradicted. Stored as one block of bytes.
//
// Changed by Model and what it calls, read by Inspection and scorers. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "learners/learner.h"
#include "learners/loss/calibration.h"
#include "pipeline/model/contradictions.h"
#include "pipeline/model/distinct_counter.h"
#include "pipeline/model/last_reply.h"
#include "pipeline/model/log_limits.h"
#include "pipeline/model/rehearsal_memory.h"
#include "pipeline/model/taught.h"

namespace thresher::pipeline {

class ModelGlobals {
 public:
  struct Facts {
    learners::Calibration calibration;
    DistinctCounter features_seen;
    TaughtCounts taught;
    LogLimits keep;  // in force for the examples that come

    // Counts an example that is about to be learned, and calibrates by it if it is fair evidence of what
    // margins mean.
    void Count(Label label, Evidence evidence, double margin) {
      taught.Add(label, evidence);
      if (taught.IsFair(evidence)) calibration.Learn(margin, label);
    }
    // How the calibration is used: margins count `factor` times, and `doubt` is taken from its trust.
    struct Reading {
      double factor = 1;
      double doubt = 0;
    };
    // Models that do not rehearse, as those made before there was rehearsal, have no factor and no doubt.
    Reading ReadingOf(bool rehearses) const {
      return rehearses ? Reading{taught.MarginFactor(), taught.DoubtInMap()} : Reading();
    }
    // Of spam, for this margin.
    double Probability(double margin, bool rehearses) const {
      if (!taught.CanTell()) return 0.5;
      const Reading reading = ReadingOf(rehearses);
      return calibration.Probability(reading.factor * margin, reading.doubt);
    }
  };
  static_assert(std::is_trivially_copyable_v<Facts> && sizeof(Facts) % 8 == 0);

  // Of a model that has learned nothing yet.
  explicit ModelGlobals(const learners::Learner& learner);

  // Takes what Stored() returned, of this program or an older one. Returns false and changes nothing if
  // `stored` has another form.
  bool Assign(std::span<const std::byte> stored);
  std::vector<std::byte> Stored() const;
  // Whether a model with this learner can have left these values. If not, only Stored() may be called.
  bool AreSound(const learners::Learner& learner) const;

  Facts& facts();
  const Facts& facts() const;
  Facts::Reading reading() const { return facts().ReadingOf(rehearses()); }
  // By the memory and not by the identity: that of a model made before there was rehearsal has the defaults,
  // and the probabilities of such a model stay as they are until it learns on.
  bool rehearses() const { return !rehearsal_.empty(); }
  RehearsalMemory& rehearsal() { return rehearsal_; }
  const RehearsalMemory& rehearsal() const { return rehearsal_; }
  Contradictions& contradictions() { return contradictions_; }
  const Contradictions& contradictions() const { return contradictions_; }
  LastReply& last_reply() { return last_reply_; }
  std::span<std::byte> learner() { return std::span(bytes_).subspan(sizeof(Facts)); }
  std::span<const std::byte> learner() const { return std::span(bytes_).subspan(sizeof(Facts)); }

 private:
  std::vector<std::byte> bytes_;  // facts, then the learner's globals
  RehearsalMemory rehearsal_;
  Contradictions contradictions_;
  LastReply last_reply_;
};

}  // namespace thresher::pipeline
