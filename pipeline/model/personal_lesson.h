// How a named user's message is learned: its features are those of all mail and the user's own, which add the
// user's part to the score (tokenizer/user.h).
//
// In the first messages of a user all own features are new, those of the commonest words, too. The first
// steps on a feature are long, so that four messages of one class would decide on all mail of this user.
// Where the examples are no stream, which has both classes as they come:
// - An own feature from which nothing was learned begins with the learning rate of the same feature of all
//   mail (Learner::TakeRate), so that the steps of one that is common in mail are short. This does not hold
//   for an archive's examples that wait (rehearsal.h), since they come by turns with those of the other
//   class.
// - A reply to a verdict takes a long step (learners/ftrl/step_length.h), so that it changes the verdict at
//   once. Only own features that are rare in all mail take it, with the rate of a new one. All others take an
//   ordinary step: with a long one, common words would decide on other mail of the user, and those of all
//   mail for users who differ. These are two steps of the learner, each on other features, so that its clock
//   moves on twice. Rare is what the mail of others has updated at most eight times, and a sixteenth as often
//   as the commonest token of the message; and in any case the rarest eighth and what is as rare, as there is
//   mail of common words only.
// - A reply to a very sure verdict may be a slip, and so counts once. For the rare own features it counts
//   nearly in full, as of a verdict less sure: a slip costs no other user anything. (With loss=squared, whose
//   gradient grows with the margin, the step is the shorter for it.)
//
// A message of 4-grams only has no features of a user's own, nor has one whose tokens have no text, as most
// have none in a log of format 5 and earlier. Used by LogApplier and Correction. Thread-safety: one thread at
// a time.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/state.h"
#include "pipeline/model/taught.h"
#include "pipeline/model/weight_updates.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Whether some features are a user's own.
bool HasOwnPart(const tokenizer::Features& features);

inline bool IsPersonal(const Lesson& lesson) {
  return lesson.teaching.evidence != Evidence::kStream && HasOwnPart(lesson.features);
}

// Learns a lesson that is personal. Returns whether weights changed.
Result<bool> LearnPersonal(const Lesson& lesson, WeightUpdates& weights);

// The margin that rare own features learn a reply with.
double OwnMargin(double margin, Label label);

// Which features are a user's own that are rare in all mail: about the same before and after an example of
// this user. found: the rows of the features, those without a weight, too.
std::vector<bool> RareOwnFeatures(const tokenizer::Features& features, const storage::FoundRows& found,
                                  const ModelState& state);

}  // namespace thresher::pipeline
