// The cost of learning at each durability, and the time of recovery after a crash: a model over synthetic
// mail, tokenized beforehand, default options.
//
// For comparison, in the same run: the learner ftrl, whose rows are smaller and steps cheaper than those of
// the default, over rows that are read from RocksDB and written back for each message. p50 and p99 are times
// of single operations, in microseconds.
#include <benchmark/benchmark.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/must.h"
#include "bench/rocksdb_alone.h"
#include "learners/registry.h"
#include "pipeline/generate/generate.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using bench::Must;
using bench::MustBe;

using storage::Durability;
using Clock = std::chrono::steady_clock;

constexpr size_t kMessages = 2000;
constexpr size_t kThreads = 8;

struct Mail {
  tokenizer::Features features;
  Label label;
};

std::unique_ptr<Model> Open(const TestDirectory& folder, Durability durability) {
  WriteAccess access;
  access.durability = durability;
  return Must(OpenOrCreateModel(folder.model(), Settings(), access));
}

// The features are made with the seed of one model. Other models can use them: no text is looked up.
const std::vector<Mail>& AllMail() {
  static const std::vector<Mail> mail = [] {
    const TestDirectory folder;
    auto tokenizer = Open(folder, Durability::kOs)->identity().MakeTokenizer();
    MailGenerator generator(1);
    std::vector<Mail> made(kMessages);
    for (Mail& each : made) {
      const SyntheticMessage message = generator.Next();
      tokenizer.Tokenize(message.bytes, tokenizer::Kind::kMail, &each.features);
      each.label = message.spam ? Label::kSpam : Label::kHam;
    }
    return made;
  }();
  return mail;
}

class Latencies {
 public:
  template <class Work>
  void Time(const Work& work) {
    const auto start = Clock::now();
    work();
    microseconds_.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  void Report(benchmark::State& state, const std::string& what) {
    std::sort(microseconds_.begin(), microseconds_.end());
    for (const int percent : {50, 99}) {
      state.counters[what + "_p" + std::to_string(percent)] =
          microseconds_[microseconds_.size() * static_cast<size_t>(percent) / 100];
    }
  }

 private:
  std::vector<double> microseconds_;
};

void Learn(Model& model, size_t number) {
  const Mail& mail = AllMail()[number % kMessages];
  Must(model.Learn(mail.features, {std::to_string(number), ""}, {mail.label, Evidence::kStream}));
}

// One thread, one message after the other; with `group` each message is a group of its own.
void LearnAlone(benchmark::State& state, Durability durability) {
  const TestDirectory folder;
  const auto model = Open(folder, durability);
  Latencies learn;
  Latencies classify;
  size_t number = 0;
  for (auto _ : state) {
    const Mail& mail = AllMail()[number % kMessages];
    classify.Time([&] { benchmark::DoNotOptimize(Must(model->Classify(mail.features))); });
    learn.Time([&] {
      Learn(*model, number);
      Must(model->Acknowledge());
    });
    ++number;
  }
  classify.Report(state, "classify");
  learn.Report(state, "learn");
  state.SetItemsProcessed(static_cast<int64_t>(number));
}
BENCHMARK_CAPTURE(LearnAlone, sync, Durability::kSync)->Iterations(2000)->UseRealTime();
BENCHMARK_CAPTURE(LearnAlone, group, Durability::kGroup)->Iterations(2000)->UseRealTime();
BENCHMARK_CAPTURE(LearnAlone, os, Durability::kOs)->Iterations(2000)->UseRealTime();

// Eight threads that use the model in turn and wait for the disk together.
void LearnTogether(benchmark::State& state, Durability durability) {
  constexpr size_t kEach = 250;
  AllMail();
  for (auto _ : state) {
    const TestDirectory folder;
    const auto model = Open(folder, durability);
    std::mutex turn;
    std::vector<std::thread> threads;
    const auto start = Clock::now();
    for (size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (size_t i = 0; i < kEach; ++i) {
          {
            const std::lock_guard lock(turn);
            Learn(*model, thread * kEach + i);
          }
          Must(model->Acknowledge());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
  }
  state.SetItemsProcessed(static_cast<int64_t>(kThreads * kEach) * state.iterations());
}
BENCHMARK_CAPTURE(LearnTogether, sync, Durability::kSync)->Iterations(1)->UseManualTime();
BENCHMARK_CAPTURE(LearnTogether, group, Durability::kGroup)->Iterations(1)->UseManualTime();

// A writer that opens the model after a crash and must apply `tail` examples of the log.
void Recover(benchmark::State& state) {
  const auto tail = static_cast<size_t>(state.range(0));
  const TestDirectory folder;
  {
    const auto model = Open(folder, Durability::kOs);
    for (size_t i = 0; i < 5000; ++i) Learn(*model, i);
    Must(model->Checkpoint());
    for (size_t i = 0; i < tail; ++i) Learn(*model, 5000 + i);
  }
  for (auto _ : state) Open(folder, Durability::kOs);
}
BENCHMARK(Recover)->Arg(0)->Arg(100)->Arg(1000)->Arg(9000)->Unit(benchmark::kMillisecond)->UseRealTime();

// What a node of a shared log does after every cluster.digest_every records.
void Digest(benchmark::State& state) {
  const TestDirectory folder;
  const auto model = Open(folder, Durability::kOs);
  auto tokenizer = model->identity().MakeTokenizer();
  tokenizer::Features features;
  MailGenerator generator(1);
  for (int64_t i = 0; i < state.range(0); ++i) {
    const SyntheticMessage message = generator.Next();
    tokenizer.Tokenize(message.bytes, tokenizer::Kind::kMail, &features);
    Must(model->Learn(features, {std::to_string(i), ""},
                      {message.spam ? Label::kSpam : Label::kHam, Evidence::kStream}));
  }
  Must(model->Checkpoint());
  for (auto _ : state) benchmark::DoNotOptimize(Must(model->Digest()));
  state.counters["rows"] = static_cast<double>(Must(model->Inspect().Statistics()).stored_rows);
}
BENCHMARK(Digest)->Arg(2000)->Arg(40000)->Unit(benchmark::kMillisecond);

// The simple way: read rows from RocksDB, write them back and sync for each message; no rows in memory.
void RocksDbPerMessage(benchmark::State& state) {
  const TestDirectory folder;
  const std::unique_ptr<rocksdb::DB> rocks = bench::OpenRocksDb(folder);
  const auto learner = learners::MakeLearner("ftrl", {}).value();
  std::vector<std::byte> globals(learner->GlobalsBytes());
  learner->InitGlobals(globals);
  rocksdb::WriteOptions write;
  write.sync = state.range(0) != 0;
  Latencies learn;
  size_t number = 0;
  for (auto _ : state) {
    const Mail& mail = AllMail()[number++ % kMessages];
    learn.Time([&] {
      const auto& ids = mail.features.ids;
      std::vector<std::byte> bytes(ids.size() * learner->RowBytes());
      std::vector<std::byte*> rows;
      std::vector<rocksdb::Slice> keys;
      for (size_t i = 0; i < ids.size(); ++i) {
        rows.push_back(bytes.data() + i * learner->RowBytes());
        keys.emplace_back(reinterpret_cast<const char*>(&ids[i]), sizeof ids[i]);
      }
      std::vector<std::string> values;
      const auto found = rocks->MultiGet(rocksdb::ReadOptions(), keys, &values);
      for (size_t i = 0; i < ids.size(); ++i) {
        if (found[i].ok()) std::memcpy(rows[i], values[i].data(), values[i].size());
      }
      const learners::SparseVector x{ids, mail.features.values};
      const std::vector<const std::byte*> readable(rows.begin(), rows.end());
      const double margin = learner->Score(x, readable, globals);
      learner->Learn(x, mail.label, margin, rows, globals, nullptr, learners::Occasion::kNew);
      rocksdb::WriteBatch batch;
      for (size_t i = 0; i < ids.size(); ++i) {
        MustBe(
            batch.Put(keys[i], rocksdb::Slice(reinterpret_cast<const char*>(rows[i]), learner->RowBytes())));
      }
      MustBe(rocks->Write(write, &batch));
    });
  }
  learn.Report(state, "learn");
  state.SetItemsProcessed(static_cast<int64_t>(number));
}
BENCHMARK(RocksDbPerMessage)->ArgName("sync")->Arg(1)->Arg(0)->Iterations(2000)->UseRealTime();

}  // namespace
}  // namespace thresher::pipeline
