// The ways in which a stream is taught, and how well a model with some settings does under one of them.
//
// Used by the choice of defaults. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bench/choose/cached_stream.h"
#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/trec/stress.h"

namespace thresher::bench {

struct Condition {
  std::string_view name;
  pipeline::Stress stress = {};
  pipeline::Feedback feedback = pipeline::Feedback::kAll;
  // Wrong labels are replies to verdicts that were right, too.
  bool slips = false;
  // Two fifths of the stream are taught as kept mail before any message is classified.
  bool begins_kept = false;
  // The first fifth of the stream is taught class by class, this class first; the messages after it are
  // classified and not taught.
  std::optional<Label> first_class = {};
  // Not one of those by which defaults are chosen.
  bool only_if_named = false;
};

std::span<const Condition> AllConditions();

struct Teaching {
  std::shared_ptr<const learners::Learner> learner;
  learners::RehearsalOptions rehearsal;
};

struct Quality {
  double area = 0;  // (1−ROCA)%
  double log_loss = 0;
  uint64_t nonzeros = 0;
  uint64_t messages = 0;       // that were classified
  uint64_t smaller_class = 0;  // those of them of the rarer class
};

// `seed` chooses which labels are wrong, which messages are taught, and what is rehearsed. The area is 0 if
// only one class was classified.
Quality Measure(const CachedStream& stream, const Condition& condition, const Teaching& teaching,
                uint64_t seed);

}  // namespace thresher::bench
