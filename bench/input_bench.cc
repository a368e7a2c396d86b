// Reading the messages of a corpus, as replay does: files per second from the page cache.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "pipeline/input/file_reader.h"
#include "pipeline/input/source.h"
#include "pipeline/input/trec_index.h"

namespace thresher::pipeline {
namespace {

void ReadFilesOfAnIndex(benchmark::State& state) {
  const char* const corpora = std::getenv("THRESHER_CORPORA");
  if (corpora == nullptr) {
    state.SkipWithError("THRESHER_CORPORA is not set");
    return;
  }
  const auto index = ReadTrecIndex(std::string(corpora) + "/spamassassin/full/index");
  if (!index || index->entries.empty()) {
    state.SkipWithError("no index");
    return;
  }
  std::string bytes;
  size_t next = 0;
  size_t total = 0;
  for (auto _ : state) {
    if (!ReadFile(index->FileOf(index->entries[next]), &bytes)) state.SkipWithError("a file is missing");
    total += bytes.size();
    next = next + 1 == index->entries.size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(total));
}
BENCHMARK(ReadFilesOfAnIndex);

void ReadMessagesOfAFolder(benchmark::State& state) {
  const char* const corpora = std::getenv("THRESHER_CORPORA");
  if (corpora == nullptr) {
    state.SkipWithError("THRESHER_CORPORA is not set");
    return;
  }
  RawMessage message;
  int64_t count = 0;
  for (auto _ : state) {
    auto source = OpenSource(std::string(corpora) + "/spamassassin/data", Format::kMessage);
    while (source && (*source)->Next(&message).value_or(false)) ++count;
  }
  state.SetItemsProcessed(count);
}
BENCHMARK(ReadMessagesOfAFolder)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thresher::pipeline
