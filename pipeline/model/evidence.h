// Why an example is taught, and how that is stored.
//
// Used by whoever teaches, by what reads the log, and by all that needs a label. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <string_view>

#include "learners/learner.h"

namespace thresher::pipeline {

using learners::Label;

constexpr std::string_view NameOf(Label label) { return label == Label::kSpam ? "spam" : "ham"; }
constexpr Label OtherClass(Label label) { return label == Label::kSpam ? Label::kHam : Label::kSpam; }
// Whether a margin, or a part of it, speaks for the other class.
constexpr bool Contradicts(double margin, Label label) { return margin * static_cast<double>(label) < 0; }

// Why an example is taught. Persisted.
enum class Evidence : uint8_t {
  kStream = 0,      // it came in with the rest: order and share of its class are those of mail to come
  kArchive = 1,     // it was kept, perhaps sorted by class
  kReply = 2,       // somebody disagreed with the verdict it got: mistakes are no sample of mail
  kCorrection = 3,  // it had been taught under the other label
  kSelf = 4,        // nobody said so but the model itself
  kSample = 5,      // it came in with the rest, and was taught so that the model knows both classes
};

// Why an example is taught where the one that it corrects is not: that one has expired, or is left out.
constexpr Evidence WithoutCorrected(Evidence evidence) {
  return evidence == Evidence::kCorrection ? Evidence::kReply : evidence;
}

// The turns of an example: how many examples of the other class that wait to be learned (rehearsal.h) follow
// it. One, unless an archive is taught whose size is known. Stored with the evidence.
constexpr uint8_t kMostTurns = 30;
constexpr uint8_t StoredEvidence(Evidence evidence, uint8_t turns) {
  const uint8_t high = evidence != Evidence::kArchive || turns == 1 ? 0 : static_cast<uint8_t>(turns + 1);
  return static_cast<uint8_t>(static_cast<uint8_t>(evidence) | high << 3);
}
constexpr Evidence EvidenceIn(uint8_t stored) { return static_cast<Evidence>(stored & 7); }
constexpr uint8_t TurnsIn(uint8_t stored) {
  return stored >> 3 == 0 ? 1 : static_cast<uint8_t>((stored >> 3) - 1);
}
constexpr bool IsSoundEvidence(uint8_t stored) {
  return EvidenceIn(stored) <= Evidence::kSample &&
         StoredEvidence(EvidenceIn(stored), TurnsIn(stored)) == stored;
}

// How an example is taught.
struct Teaching {
  Label label;
  Evidence evidence;
  uint8_t turns = 1;
};

}  // namespace thresher::pipeline
