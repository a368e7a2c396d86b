// Updates without scoring, of 1,000 features whose rows are in memory. Compares every learner with w[j] +=
// g·x[j] over the same indices of a plain array of 2^21 weights: first with rows in an array, then through
// the store's weight table, which finds rows by 64-bit ids.

#include "bench/context.h"
#include "bench/learner_steps.h"
#include "bench/must.h"
#include "storage/database.h"
#include "storage/weight_table.h"
#include "tests/test_directory.h"

namespace thresher::learners {
namespace {

using bench::Must;

constexpr Shape kShape = {.dimension = size_t{1} << 21, .features = 1000, .examples = 256};
constexpr double kMargin = 0;  // of every example, so that none is skipped

void OnSlots(benchmark::State& state, std::string_view name) {
  const std::vector<Example> examples = MakeExamples(kShape);
  Plain plain(kShape.dimension);
  Resident ours(name, kShape.dimension, examples, kEveryExample);
  Compare(
      state, examples.size(), 1, [&](size_t e) { plain.Update(examples[e], kMargin); },
      [&](size_t e) { ours.Update(examples[e], e, kMargin); });
}

// The same examples with their ids mixed like hashes.
std::vector<Example> WithHashedIds(std::vector<Example> examples) {
  for (Example& example : examples) {
    for (uint64_t& id : example.ids) id = (id + 1) * 0x9E3779B97F4A7C15U;
  }
  return examples;
}

// Find, Touch, Learn.
class Stored {
 public:
  explicit Stored(std::string_view name)
      : learner_(MakeLearner(name, kEveryExample).value()),
        database_(Must(storage::Database::OpenOrCreate(folder_.model(), {{"learner", "bench"}},
                                                       storage::Durability::kOs, {}))),
        table_(*database_, learner_->RowBytes()),
        globals_(learner_->GlobalsBytes() / sizeof(uint64_t)) {
    learner_->InitGlobals(Globals());
    derived_ = learner_->Derive([](const auto&) {}, Globals());
  }

  void Update(const Example& example) {
    Must(table_.Find(example.ids, &found_));
    const auto rows = Must(table_.Touch(found_));
    benchmark::DoNotOptimize(learner_->Learn(example.X(), example.label, kMargin, rows, Globals(),
                                             derived_.get(), Occasion::kNew));
  }

  // As many rows as the plain array has weights.
  void Fill() {
    std::vector<uint64_t> ids(1000);
    for (uint64_t next = 0; next < kShape.dimension;) {
      for (uint64_t& id : ids) id = ++next * 0x9E3779B97F4A7C15U;
      Must(table_.Find(ids, &found_));
      Must(table_.Touch(found_));
    }
  }

 private:
  std::span<std::byte> Globals() { return std::as_writable_bytes(std::span(globals_)); }

  std::unique_ptr<Learner> learner_;
  TestDirectory folder_;
  std::unique_ptr<storage::Database> database_;
  storage::WeightTable table_;
  std::vector<uint64_t> globals_;
  std::unique_ptr<Derived> derived_;
  storage::FoundRows found_;
};

void ById(benchmark::State& state, std::string_view name) {
  const std::vector<Example> examples = MakeExamples(kShape);
  const std::vector<Example> hashed = WithHashedIds(examples);
  Plain plain(kShape.dimension);
  Stored ours(name);
  ours.Fill();
  Compare(
      state, examples.size(), 1, [&](size_t e) { plain.Update(examples[e], kMargin); },
      [&](size_t e) { ours.Update(hashed[e]); });
}

void RegisterAll() {
  for (const LearnerSpec& spec : AllLearners()) {
    const std::string name(spec.name);
    benchmark::RegisterBenchmark(("OnSlots/" + name).c_str(), OnSlots, spec.name)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("ById/" + name).c_str(), ById, spec.name)->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace thresher::learners

int main(int argc, char** argv) {
  thresher::bench::DescribeAndRun(argc, argv, thresher::learners::RegisterAll);
}
