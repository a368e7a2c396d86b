// How an example is learned: in one step, or, if it is a named user's message, by the rules that follow. Its
// features are those of all mail and the user's own (personal tokens, tokenizer/user.h), and the weights of
// both make the score.
//
// In the first messages of a user all own features are new, those of the commonest words, too. The first
// steps on a feature are long, so that four messages of one class would decide on all mail of this user.
// Where the examples are no stream, which has both classes as they come:
// - An own feature from which nothing was learned begins with the learning rate of the same feature of all
//   mail (Learner::TakeRate), so that the steps of one that is common in mail are short. This does not hold
//   for an archive's examples that wait for the other class (rehearsal.h).
// - A reply to a verdict takes the step of a mistake (learners/ftrl/step_length.h), so that it changes the
//   verdict at once. Only own features that are rare in the mail of others take it, and they do not take that
//   rate. All other features take an ordinary step, which also ends where the margin is as it must be:
//   otherwise common words would decide on other mail of the user, and the features of all mail for users who
//   differ. These are two steps of the learner, each on other features, so that its clock moves on twice.
// - An example of an archive is learned as a reply, though no verdict is known, if the model contradicts it,
//   knows both classes and the mail of others, and no example waits. It counts as one of an archive.
// - A reply to a very sure verdict may be a slip, and its step ends where the margin is about 0. That of the
//   rare own features goes on nearly as far as that of a verdict less sure: it changes no score of other
//   users. (With loss=squared, whose gradient grows with the margin, it is shorter.)
//
// Rare is what the mail of others has updated at most eight times, and at most a sixteenth as often as the
// commonest token of the message. In any case the rarest eighth is rare, and what is as rare: some mail has
// common words only. A row that was forgotten, or not installed, has no updates.
//
// A message of 4-grams only has no own features. Those of an example without texts (format 5 and earlier) are
// not known. Used by what teaches: LogApplier, Correction, installation.cc. Thread-safety: one thread at a
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/state.h"
#include "pipeline/model/weight_updates.h"
#include "storage/found_rows.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Whether some features are a user's own.
bool HasOwnPart(const tokenizer::Features& features);

// Learns an example whose score is `margin` and whose rows are `found`. `planned`: what it is to the learner
// if it is not learned as a reply, though no verdict is known. The example is counted already.
Result<StepResult> LearnExample(const tokenizer::Features& features, storage::FoundRows& found,
                                const Teaching& teaching, double margin, learners::Occasion planned,
                                WeightUpdates& weights);

// Which features are a user's own that are rare in the mail of others: about the same before and after an
// example of this user. found: the rows of the features, those without a weight, too.
std::vector<bool> RareOwnFeatures(const tokenizer::Features& features, const storage::FoundRows& found,
                                  const ModelState& state);

}  // namespace thresher::pipeline
