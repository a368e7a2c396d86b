#include "pipeline/model/rehearsal_rule.h"

#include <limits>
#include <random>

namespace thresher::pipeline {
namespace {

// Examples of the other class that follow each example of a class that is taught alone, in draws.
constexpr uint64_t kDrawsInLongRun = 2;
constexpr double kTrustAll = std::numeric_limits<double>::infinity();

Label OtherClass(Label label) { return label == Label::kSpam ? Label::kHam : Label::kSpam; }

Result<void> RehearseAny(const learners::RehearsalOptions& options, uint64_t seq,
                         const RehearsalMemory& memory, const LearnAgain& learn_again) {
  std::mt19937_64 draw(seq);
  for (uint64_t i = 0; i < options.draws; ++i) {
    auto label = draw() % 2 == 0 ? Label::kHam : Label::kSpam;
    if (memory.size(label) == 0) label = OtherClass(label);
    if (memory.size(label) == 0) return {};
    const RehearsalMemory::Entry& earlier = memory.At(label, draw() % memory.size(label));
    if (auto done = learn_again({earlier, label, options.mistrust}); !done) return done;
  }
  return {};
}

// Its examples are not mistrusted: that the model contradicts them is what the run has done.
Result<void> RehearseOtherClass(const learners::RehearsalOptions& options, Label label,
                                RehearsalMemory& memory, const LearnAgain& learn_again) {
  const Label other = OtherClass(label);
  if (memory.size(other) == 0) return {};
  for (uint64_t i = 0; i < kDrawsInLongRun * options.draws; ++i) {
    if (auto done = learn_again({memory.Next(other), other, kTrustAll}); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> Rehearse(const learners::RehearsalOptions& options, const TaughtCounts& taught,
                      const JustLearned& example, RehearsalMemory& memory, const LearnAgain& learn_again) {
  const bool is_alone = !taught.CouldBeChance();
  if (!example.updated && !is_alone) return {};
  memory.Add(example.label, example.entry, options.memory / 2);
  return is_alone ? RehearseOtherClass(options, example.label, memory, learn_again)
                  : RehearseAny(options, example.entry.seq, memory, learn_again);
}

}  // namespace thresher::pipeline
