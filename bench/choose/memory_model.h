// A model that learns as the trainer does, with weights and examples in memory: no store, no log, no texts.
//
// The learner's steps, rehearsal, calibration and counts are the trainer's own; only where rows and examples
// are kept differs, and nothing expires. A copy goes on by itself. Used by the choice of defaults, by
// measure_mistakes, and by a test that compares it with a model. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/must.h"
#include "learners/steps/array_model.h"
#include "pipeline/model/correction.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/last_reply.h"
#include "pipeline/model/rehearsal_rule.h"

namespace thresher::bench {

using learners::Label;

inline Label LabelOf(bool is_spam) { return is_spam ? Label::kSpam : Label::kHam; }

// The features of a message. Does not own them.
struct Message {
  std::span<const uint32_t> indices;
  std::span<const float> values;
  uint32_t bytes = 0;  // RehearsedBytes
};

class MemoryModel {
 public:
  // Indices are below `width`. Examples are numbered from first_seq on: what is rehearsed depends on it.
  MemoryModel(std::shared_ptr<const learners::Learner> learner, const learners::RehearsalOptions& rehearsal,
              size_t width, uint64_t first_seq = 1)
      : model_(std::move(learner), width), width_(width), rehearsal_(rehearsal), first_seq_(first_seq) {}

  pipeline::Score Classify(const Message& message) {
    const double margin = model_.Score(message.indices, message.values);
    return {margin, facts_.Probability(margin, !memory_.empty()), facts_.taught.CanTell()};
  }
  const pipeline::TaughtCounts& taught() const { return facts_.taught; }

  // `message` must outlive the model. Returns the score it had before.
  pipeline::Score Learn(const Message& message, Label label, pipeline::Evidence evidence) {
    return Teach(message, label, evidence, examples_.size());
  }
  // Learns the example with this number, counted from 0, under the other label. Returns as Learn.
  pipeline::Score Correct(size_t number, Label label) {
    return Teach(examples_[number], label, pipeline::Evidence::kCorrection, number);
  }

  uint64_t NonZeros() const {
    uint64_t count = 0;
    for (uint64_t feature = 0; feature < width_; ++feature) count += model_.Weight(feature) != 0 ? 1 : 0;
    return count;
  }

 private:
  // `number`: of the first example of the same message.
  pipeline::Score Teach(const Message& message, Label label, pipeline::Evidence evidence, size_t number) {
    const pipeline::Score before = Classify(message);
    const uint64_t seq = first_seq_ + examples_.size();
    const uint64_t key = first_seq_ + number;
    const bool corrects = evidence == pipeline::Evidence::kCorrection;
    examples_.push_back(message);
    facts_.Count(label, evidence, before.margin);
    const pipeline::Plan plan =
        pipeline::PlanOf(rehearsal_, facts_.taught, memory_, {label, evidence, /*turns=*/1});
    const double excess = corrects ? last_reply_.Left(key, facts_.taught.total() - 1) : 0;
    if (corrects) last_reply_ = pipeline::LastReply();
    const Share share = corrects && !memory_.Waits(key) ? ShareOf(message, excess) : Share();
    learners::OnlineSteps::Step step{.outcome = learners::Outcome::kSkipped};
    if (!plan.waits) step = Step(message, label, before.margin, plan.occasion);
    const bool updated = step.outcome == learners::Outcome::kUpdated;
    if (updated && plan.occasion.IsMistake())
      last_reply_ = {.message = key, .taught = facts_.taught.total(), .excess = step.excess};
    if (!share.indices.empty()) {
      Step({share.indices, share.values}, label, model_.learner().MarginOfMistake(label),
           learners::Occasion::kAgain);
    }
    if (corrects) memory_.Forget(key);
    const auto learn_earlier = [this](const pipeline::Rehearsed& earlier) {
      const Message& again = examples_[earlier.entry.seq - first_seq_];
      const double margin = model_.Score(again.indices, again.values);
      if (!earlier.IsContradictedBy(margin)) Step(again, earlier.label, margin, earlier.occasion);
      return pipeline::Result<void>();
    };
    Must(pipeline::Rehearse(rehearsal_, facts_.taught,
                            {.entry = {.seq = seq, .message = key, .bytes = message.bytes},
                             .label = label,
                             .turns = 1,
                             .waits = plan.waits,
                             .updated = updated,
                             .as_mistake = plan.occasion.IsMistake()},
                            memory_, learn_earlier));
    return before;
  }

  struct Share {
    std::vector<uint32_t> indices;
    std::vector<float> values;
  };
  // As in Correction.
  Share ShareOf(const Message& message, double excess) const {
    Share share;
    for (size_t i = 0; i < message.indices.size(); ++i) {
      const std::byte* row = model_.RowOf(message.indices[i]);
      const float value =
          pipeline::ValueOfMistake(model_.learner(), row, model_.globals(), message.values[i], excess);
      if (value == 0) continue;
      share.indices.push_back(message.indices[i]);
      share.values.push_back(value);
    }
    return share;
  }

  learners::OnlineSteps::Step Step(const Message& message, Label label, double margin,
                                   learners::Occasion occasion) {
    if (!model_.learner().WouldUpdate(margin, label)) return {.outcome = learners::Outcome::kSkipped};
    return model_.Learn(message.indices, message.values, label, margin, occasion);
  }

  learners::ArrayModel<> model_;
  size_t width_;
  learners::RehearsalOptions rehearsal_;
  uint64_t first_seq_;
  std::vector<Message> examples_;
  pipeline::ModelGlobals::Facts facts_;
  pipeline::RehearsalMemory memory_;
  pipeline::LastReply last_reply_;
};

}  // namespace thresher::bench
