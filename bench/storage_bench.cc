// The cost of the store per message, beside what it should be compared with.
//
// Find and Touch for the features of one message, beside an array walk over the same places and beside
// RocksDB for every weight; an append; a checkpoint; a reader that opens the store, looks up the features of
// one message and ends.
#include <benchmark/benchmark.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bench/must.h"
#include "bench/rocksdb_alone.h"
#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/weight_table.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

using bench::Must;
using bench::MustBe;

constexpr size_t kFeatures = 2500;  // of a message
constexpr size_t kMessages = 1024;
constexpr size_t kRowBytes = 16;
constexpr size_t kExampleBytes = 6000;
const Meta kMeta{{"learner", "bench"}};

uint64_t IdOf(uint64_t rank) {  // a bijection, so that ranks are distinct ids
  rank ^= rank >> 33;
  rank *= 0xFF51AFD7ED558CCDU;
  rank ^= rank >> 33;
  return rank * 0xC4CEB9FE1A85EC53U;
}

// Ranks of words as in texts: Zipf with exponent 1 over `rows`, each rank at most once per message.
std::vector<std::vector<uint64_t>> ZipfMessages(uint64_t rows) {
  std::mt19937_64 random(rows);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::vector<uint64_t>> messages(kMessages);
  std::vector<uint32_t> seen_in(rows);
  uint32_t number = 0;
  for (auto& message : messages) {
    ++number;
    while (message.size() < kFeatures) {
      const auto rank = static_cast<uint64_t>(std::pow(static_cast<double>(rows), uniform(random))) - 1;
      if (seen_in[rank] == number) continue;
      seen_in[rank] = number;
      message.push_back(rank);
    }
  }
  return messages;
}

std::vector<std::vector<uint64_t>> Ids(std::vector<std::vector<uint64_t>> messages) {
  for (auto& message : messages) {
    for (uint64_t& each : message) each = IdOf(each);
  }
  return messages;
}

void Step(std::byte* row) {
  uint64_t value = 0;
  std::memcpy(&value, row, sizeof value);
  ++value;
  std::memcpy(row, &value, sizeof value);
}

// Makes a non-zero row for each rank below `rows`.
void Fill(WeightTable& table, uint64_t rows) {
  FoundRows found;
  std::vector<uint64_t> ids;
  for (uint64_t rank = 0; rank < rows; ++rank) {
    ids.push_back(IdOf(rank));
    if (ids.size() < kFeatures && rank + 1 < rows) continue;
    Must(table.Find(ids, &found));
    for (std::byte* row : Must(table.Touch(found))) Step(row);
    ids.clear();
  }
}

bool AllLive(const std::byte* /*row*/) { return true; }

std::unique_ptr<Database> Open(const TestDirectory& folder, Durability durability = Durability::kOs) {
  return Must(Database::OpenOrCreate(folder.model(), kMeta, durability, std::chrono::milliseconds(0)));
}

// A lower bound for any table: rows in an array whose indices are known.
void ArrayWalk(benchmark::State& state) {
  const auto rows = static_cast<uint64_t>(state.range(0));
  const auto messages = ZipfMessages(rows);
  std::vector<std::array<std::byte, kRowBytes>> array(rows);
  // Ranks are scattered like ids, so that adjacent ranks do not share a cache line.
  std::vector<uint32_t> place(rows);
  for (uint64_t i = 0; i < rows; ++i) place[i] = static_cast<uint32_t>(i);
  std::shuffle(place.begin(), place.end(), std::mt19937_64(1));
  auto indices = messages;
  for (auto& message : indices) {
    for (uint64_t& index : message) index = place[index];
  }
  size_t next = 0;
  for (auto _ : state) {
    for (const uint64_t index : indices[next % kMessages]) Step(array[index].data());
    ++next;
    benchmark::ClobberMemory();
  }
}
BENCHMARK(ArrayWalk)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMicrosecond);

// A table of so many rows, and messages whose features are among them.
struct FilledTable {
  explicit FilledTable(uint64_t rows) : messages(Ids(ZipfMessages(rows))) { Fill(table, rows); }

  std::vector<std::vector<uint64_t>> messages;
  TestDirectory folder;
  std::unique_ptr<Database> database = Open(folder);
  WeightTable table{*database, kRowBytes};
};

void FindThenTouch(benchmark::State& state) {
  FilledTable filled(static_cast<uint64_t>(state.range(0)));
  FoundRows found;
  size_t next = 0;
  for (auto _ : state) {
    Must(filled.table.Find(filled.messages[next++ % kMessages], &found));
    for (std::byte* row : Must(filled.table.Touch(found))) Step(row);
    benchmark::ClobberMemory();
  }
  state.counters["MB"] = static_cast<double>(filled.table.memory_bytes()) / 1e6;
}
BENCHMARK(FindThenTouch)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMicrosecond);

void FindOnly(benchmark::State& state) {
  FilledTable filled(static_cast<uint64_t>(state.range(0)));
  FoundRows found;
  size_t next = 0;
  for (auto _ : state) {
    Must(filled.table.Find(filled.messages[next++ % kMessages], &found));
    benchmark::DoNotOptimize(found.rows().data());
  }
}
BENCHMARK(FindOnly)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMicrosecond);

// The simple way: Get and Put every weight of a message, with RocksDB's default options.
void RocksDbPerWeight(benchmark::State& state) {
  const auto rows = static_cast<uint64_t>(state.range(0));
  const auto messages = Ids(ZipfMessages(rows));
  const TestDirectory folder;
  const std::unique_ptr<rocksdb::DB> rocks = bench::OpenRocksDb(folder);
  const auto key = [](const uint64_t& id) {
    return rocksdb::Slice(reinterpret_cast<const char*>(&id), sizeof id);
  };
  std::string row(kRowBytes, '\1');
  for (uint64_t rank = 0; rank < rows; ++rank) MustBe(rocks->Put({}, key(IdOf(rank)), row));
  MustBe(rocks->Flush({}));
  size_t next = 0;
  for (auto _ : state) {
    for (const uint64_t id : messages[next % kMessages]) {
      MustBe(rocks->Get({}, key(id), &row));
      Step(reinterpret_cast<std::byte*>(row.data()));
      MustBe(rocks->Put({}, key(id), row));
    }
    ++next;
  }
}
BENCHMARK(RocksDbPerWeight)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMicrosecond);

void Append(benchmark::State& state) {
  const TestDirectory folder;
  const auto database = Open(folder, state.range(0) != 0 ? Durability::kSync : Durability::kOs);
  ExampleLog log(*database);
  std::mt19937_64 random(1);
  Example example;
  example.digest = "0123456789abcdef";
  example.features.resize(kExampleBytes);
  for (char& c : example.features) c = static_cast<char>(random());
  uint64_t number = 0;
  for (auto _ : state) {
    example.message_id = std::to_string(++number) + "@example.org";
    Must(log.Append(example));
  }
}
BENCHMARK(Append)->ArgName("sync")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond)->UseRealTime();

// A model with so many rows, in one layer on disk.
void MakeModel(const TestDirectory& folder, uint64_t rows) {
  const auto database = Open(folder);
  WeightTable table(*database, kRowBytes);
  Fill(table, rows);
  Must(table.Checkpoint({}, 1, AllLive, AllLive));
  Must(database->Compact());
}

// The largest possible checkpoint: all rows have changed.
void Checkpoint(benchmark::State& state) {
  const auto rows = static_cast<uint64_t>(state.range(0));
  const TestDirectory folder;
  const auto database = Open(folder);
  WeightTable table(*database, kRowBytes);
  Fill(table, rows);
  Must(table.Checkpoint({}, 1, AllLive, AllLive));
  for (auto _ : state) {
    state.PauseTiming();
    table.ForEachMutable(Step);
    state.ResumeTiming();
    Must(table.Checkpoint({}, 1, AllLive, AllLive));
  }
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(Checkpoint)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMillisecond)->UseRealTime();

void LoadAll(benchmark::State& state) {
  const TestDirectory folder;
  MakeModel(folder, static_cast<uint64_t>(state.range(0)));
  const auto database = Must(Database::OpenForReading(folder.model()));
  for (auto _ : state) {
    WeightTable table(*database, kRowBytes);
    Must(table.LoadAll());
  }
}
BENCHMARK(LoadAll)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMillisecond);

// A filter process: opens the store, looks up a message with three new features in ten, ends.
void OpenAndFind(benchmark::State& state) {
  const auto rows = static_cast<uint64_t>(state.range(0));
  const TestDirectory folder;
  MakeModel(folder, rows);
  std::mt19937_64 random(1);
  std::vector<uint64_t> ids(kFeatures);
  for (uint64_t& id : ids) id = random() % 10 < 7 ? IdOf(random() % rows) : random();
  FoundRows found;
  for (auto _ : state) {
    const auto database = Must(Database::OpenForReading(folder.model()));
    WeightTable table(*database, kRowBytes);
    Must(table.Find(ids, &found));
  }
}
BENCHMARK(OpenAndFind)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMicrosecond);

// A learn process: opens the store for writing, learns one message, makes it durable, ends.
void OpenAndLearn(benchmark::State& state) {
  const auto rows = static_cast<uint64_t>(state.range(0));
  const auto messages = Ids(ZipfMessages(rows));
  const TestDirectory folder;
  {
    const auto database = Open(folder);
    WeightTable table(*database, kRowBytes);
    Fill(table, rows);
    Must(table.Checkpoint({}, 1, AllLive, AllLive));
  }
  Example example;
  example.features.assign(kExampleBytes, 'x');
  FoundRows found;
  size_t next = 0;
  for (auto _ : state) {
    const auto database = Open(folder, Durability::kSync);
    ExampleLog log(*database);
    WeightTable table(*database, kRowBytes);
    const auto& ids = messages[next++ % kMessages];
    Must(table.Find(ids, &found));
    const uint64_t seq = Must(log.Append(example));
    for (std::byte* row : Must(table.Touch(found))) Step(row);
    Must(table.Checkpoint({}, seq, AllLive, AllLive));
  }
}
BENCHMARK(OpenAndLearn)->Arg(200000)->Arg(2000000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace thresher::storage
