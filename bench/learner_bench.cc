// The cost of a step of every learner beside a plain gather-and-update over the same indices, and how both
// grow with the size of the model. A step is Score, then Learn.
#include <string>

#include "bench/context.h"
#include "bench/learner_steps.h"

namespace thresher::learners {
namespace {

// About the number of features of a message, and of rows of the model of one mailbox.
constexpr Shape kMail = {.dimension = 1 << 20, .features = 2500};
constexpr Shape kMailInCache = {.dimension = 1 << 13, .features = 2500};

void AgainstPlain(benchmark::State& state, std::string_view name, Shape shape) {
  const std::vector<Example> examples = MakeExamples(shape);
  Plain plain(shape.dimension);
  Resident ours(name, shape.dimension, examples);
  Compare(
      state, examples.size(), 1, [&](size_t e) { plain.Step(examples[e]); },
      [&](size_t e) { ours.Step(examples[e], e); });
}

// The same number of features and examples, and therefore of non-zero weights, with more and more dimensions.
// The plain loop gets slower because of memory access; `growth` is the growth of our step divided by that of
// the plain loop: about 1 for any dimension.
void WithDimension(benchmark::State& state, std::string_view name) {
  constexpr Shape kSmall = {.dimension = size_t{1} << 14, .features = 100, .examples = 256};
  Shape shape = kSmall;
  shape.dimension = size_t{1} << state.range(0);
  const std::vector<Example> few = MakeExamples(kSmall);
  const std::vector<Example> examples = MakeExamples(shape);
  Plain plain_small(kSmall.dimension);
  Plain plain(shape.dimension);
  Resident ours_small(name, kSmall.dimension, few);
  Resident ours(name, shape.dimension, examples);
  Passes small_rival;
  Passes rival;
  Passes small_our;
  Passes our;
  const auto run_all = [&] {
    small_rival.Run(few.size(), [&](size_t e) { plain_small.Step(few[e]); });
    rival.Run(examples.size(), [&](size_t e) { plain.Step(examples[e]); });
    small_our.Run(few.size(), [&](size_t e) { ours_small.Step(few[e], e); });
    our.Run(examples.size(), [&](size_t e) { ours.Step(examples[e], e); });
  };
  run_all();
  for ([[maybe_unused]] auto _ : state) run_all();
  state.counters["plain_us"] = rival.MicrosecondsPerStep(examples.size());
  state.counters["ours_us"] = our.MicrosecondsPerStep(examples.size());
  state.counters["growth"] = our.Seconds() / small_our.Seconds() / (rival.Seconds() / small_rival.Seconds());
}

void RegisterAll() {
  for (const LearnerSpec& spec : AllLearners()) {
    const std::string name(spec.name);
    benchmark::RegisterBenchmark(("AgainstPlain/mail/" + name).c_str(), AgainstPlain, spec.name, kMail)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("AgainstPlain/mail_in_cache/" + name).c_str(), AgainstPlain, spec.name,
                                 kMailInCache)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("WithDimension/" + name).c_str(), WithDimension, spec.name)
        ->ArgName("bits")
        ->DenseRange(14, 24, 2)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace thresher::learners

int main(int argc, char** argv) {
  thresher::bench::DescribeAndRun(argc, argv, thresher::learners::RegisterAll);
}
