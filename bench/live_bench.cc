// Scoring in several threads while the model is idle or learns without a pause, compared with Model::Classify
// in one thread; and the cost of learning while others score. Synthetic mail, the default learner without
// skipped examples, no sync of the disk.
//
// `us` is the processor time of one thread per message. `of_classify` is its speed divided by that of
// Model::Classify in the same run. `learned/s` is measured in real time. Threads that only score slow the
// learner down if there are more threads than processors; threads that also tokenize do so much less.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/must.h"
#include "bench/timing.h"
#include "pipeline/generate/generate.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using bench::Must;

constexpr size_t kTaught = 3000;
constexpr size_t kMessages = 1000;  // scored or learned, one after the other

Settings EveryExample() {
  Settings settings;
  settings.learner_options["min_gradient"] = "0";
  return settings;
}

// A model that has been taught, and messages it has not seen.
class Taught {
 public:
  explicit Taught(bool is_live)
      : model_(Must(OpenOrCreateModel(folder_.model(), EveryExample(),
                                      {.durability = storage::Durability::kOs, .model = {}}))) {
    MailGenerator mail(1);
    for (size_t i = 0; i < kTaught; ++i) {
      Take(mail.Next());
      Learn();
      messages_.clear();
      features_.clear();
    }
    for (size_t i = 0; i < kMessages; ++i) Take(mail.Next());
    if (is_live) live_ = Must(model_->MakeLiveScorer());
  }

  void Learn() {
    const size_t i = learned_++ % features_.size();
    Must(model_->Learn(features_[i], {std::to_string(learned_), ""},
                       {messages_[i].spam ? Label::kSpam : Label::kHam, Evidence::kStream}));
  }

  Model& model() { return *model_; }
  LiveScorer& live() { return *live_; }
  const tokenizer::Features& features(size_t i) const { return features_[i % kMessages]; }
  const std::string& bytes(size_t i) const { return messages_[i % kMessages].bytes; }

 private:
  void Take(SyntheticMessage message) {
    model_->identity().MakeTokenizer().Tokenize(message.bytes, tokenizer::Kind::kMail,
                                                &features_.emplace_back());
    messages_.push_back(std::move(message));
  }

  TestDirectory folder_;
  std::unique_ptr<Model> model_;
  std::shared_ptr<LiveScorer> live_;
  std::vector<SyntheticMessage> messages_;
  std::vector<tokenizer::Features> features_;
  size_t learned_ = 0;
};

Taught& Alone() {
  static Taught taught(false);
  return taught;
}
Taught& Live() {
  static Taught taught(true);
  return taught;
}

// Processor time of one Model::Classify, the mean; measured once.
double ClassifySeconds() {
  static const double mean = [] {
    constexpr size_t kCalls = 10 * kMessages;
    const double seconds = bench::Seconds([] {
      for (size_t i = 0; i < kCalls; ++i)
        benchmark::DoNotOptimize(Must(Alone().model().Classify(Alone().features(i))));
    });
    return seconds / kCalls;
  }();
  return mean;
}

// Learns in a thread of its own until it is stopped.
class BusyLearner {
 public:
  double StopAndTellRate() {
    stop_ = true;
    thread_.join();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    return static_cast<double>(learned_) / seconds.count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<bool> stop_ = false;
  size_t learned_ = 0;
  std::thread thread_{[this] {
    for (; !stop_; ++learned_) Live().Learn();
  }};
};

// Calls score_one(reader, i) in every thread.
template <class ScoreOne>
void WhileLearning(benchmark::State& state, const ScoreOne& score_one) {
  const double classify = ClassifySeconds();
  LiveScorer::Reader reader(Live().live());
  std::optional<BusyLearner> learner;
  if (state.thread_index() == 0 && state.range(0) != 0) learner.emplace();
  auto i = static_cast<size_t>(state.thread_index()) * kMessages / 2;
  const double begin = bench::ThreadSeconds();
  for (auto _ : state) score_one(reader, i++);
  const double each = (bench::ThreadSeconds() - begin) / static_cast<double>(state.iterations());
  state.counters["us"] = benchmark::Counter(1e6 * each, benchmark::Counter::kAvgThreads);
  state.counters["of_classify"] = benchmark::Counter(classify / each, benchmark::Counter::kAvgThreads);
  if (learner) state.counters["learned/s"] = learner->StopAndTellRate();
  state.SetItemsProcessed(state.iterations());
}

void Score(benchmark::State& state) {
  WhileLearning(state, [](LiveScorer::Reader& reader, size_t i) {
    benchmark::DoNotOptimize(Must(reader.Classify(Live().features(i))));
  });
}
BENCHMARK(Score)->ArgName("learning")->Arg(0)->Arg(1)->ThreadRange(1, 2)->UseRealTime();

void TokenizeAndScore(benchmark::State& state) {
  tokenizer::Tokenizer tokenizer = Live().model().identity().MakeTokenizer();
  tokenizer::Features features;
  WhileLearning(state, [&](LiveScorer::Reader& reader, size_t i) {
    tokenizer.Tokenize(Live().bytes(i), tokenizer::Kind::kMail, &features);
    benchmark::DoNotOptimize(Must(reader.Classify(features)));
  });
}
BENCHMARK(TokenizeAndScore)->ArgName("learning")->Arg(0)->Arg(1)->ThreadRange(1, 2)->UseRealTime();

// While no thread scores; both begin with the same model and learn the same messages.
void Learn(benchmark::State& state) {
  Taught taught(state.range(0) != 0);
  for (auto _ : state) taught.Learn();
}
BENCHMARK(Learn)->ArgName("live")->Arg(0)->Arg(1)->Iterations(3000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace thresher::pipeline
