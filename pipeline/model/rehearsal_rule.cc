#include "pipeline/model/rehearsal_rule.h"

#include <algorithm>
#include <limits>
#include <random>

namespace thresher::pipeline {
namespace {

// Examples of the other class that follow a mistake, or an example of a class that is taught alone, in draws.
constexpr uint64_t kDrawsOfOtherClass = 2;
constexpr double kTrustAll = std::numeric_limits<double>::infinity();

// Whether examples of the other class wait for their turn: `label` and they are then learned as if mixed.
bool AreMixed(const RehearsalMemory& memory, Label label) { return memory.waiting(OtherClass(label)) > 0; }

Result<void> RehearseAny(const learners::RehearsalOptions& options, std::mt19937_64& draw,
                         const RehearsalMemory& memory, const LearnEarlier& learn_earlier) {
  for (uint64_t i = 0; i < options.draws; ++i) {
    auto label = draw() % 2 == 0 ? Label::kHam : Label::kSpam;
    if (memory.size(label) == 0) label = OtherClass(label);
    if (memory.size(label) == 0) return {};
    const RehearsalMemory::Entry& earlier = memory.At(label, draw() % memory.size(label));
    if (auto done = learn_earlier({.entry = earlier, .label = label, .mistrust = options.mistrust}); !done)
      return done;
  }
  return {};
}

// Its examples are not mistrusted: that the model contradicts them is what the run, or the step on a mistake,
// has done.
Result<void> RehearseOtherClass(const learners::RehearsalOptions& options, Label label,
                                RehearsalMemory& memory, const LearnEarlier& learn_earlier) {
  const Label other = OtherClass(label);
  if (memory.size(other) == 0) return {};
  for (uint64_t i = 0; i < kDrawsOfOtherClass * options.draws; ++i) {
    if (auto done = learn_earlier({.entry = memory.Next(other), .label = other, .mistrust = kTrustAll});
        !done)
      return done;
  }
  return {};
}

Result<void> LearnWaiting(Label label, learners::Occasion occasion, const learners::RehearsalLimits& most,
                          RehearsalMemory& memory, const LearnEarlier& learn_earlier) {
  const RehearsalMemory::Entry entry = memory.TakeWaiting(label);
  memory.Add(label, entry, most);
  return learn_earlier({entry, label, kTrustAll, occasion});
}

}  // namespace

uint32_t RehearsedBytes(const tokenizer::Features& features) {
  constexpr uint64_t kEach = sizeof(uint64_t) + sizeof(float) + sizeof(uint32_t);
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  return static_cast<uint32_t>(std::min(kEach * features.size() + features.texts.size(), kMost));
}

Plan PlanOf(const learners::RehearsalOptions& options, const TaughtCounts& taught,
            const RehearsalMemory& memory, const Teaching& teaching) {
  const bool is_archive = teaching.evidence == Evidence::kArchive;
  return {.waits = options.draws > 0 && is_archive && taught.LacksAClass(),
          .occasion = is_archive && AreMixed(memory, teaching.label) ? learners::Occasion::kNew
                                                                     : taught.OccasionOf(teaching.evidence)};
}

Result<void> Rehearse(const learners::RehearsalOptions& options, const TaughtCounts& taught,
                      const JustTaught& example, RehearsalMemory& memory, const LearnEarlier& learn_earlier) {
  if (options.draws == 0) return {};
  const Label label = example.label;
  const learners::RehearsalLimits most = options.PerClass();
  if (example.waits) {
    memory.Wait(label, example.entry, most);
    Result<void> alone;
    while (alone && memory.WaitTooMany(label, most))
      alone = LearnWaiting(label, learners::Occasion::kAgain, most, memory, learn_earlier);
    return alone;
  }
  const bool is_mixed = AreMixed(memory, label);
  const bool is_alone = !is_mixed && !taught.CouldBeChance();
  if (!example.updated && !is_alone && !is_mixed) return {};
  memory.Add(label, example.entry, most);
  if (is_alone) return RehearseOtherClass(options, label, memory, learn_earlier);
  std::mt19937_64 draw(example.entry.seq);
  auto done = RehearseAny(options, draw, memory, learn_earlier);
  if (done && example.as_mistake) done = RehearseOtherClass(options, label, memory, learn_earlier);
  for (int turn = 0; done && turn < example.turns && AreMixed(memory, label); ++turn) {
    done = LearnWaiting(OtherClass(label), learners::Occasion::kNew, most, memory, learn_earlier);
    if (done) done = RehearseAny(options, draw, memory, learn_earlier);
  }
  return done;
}

}  // namespace thresher::pipeline
