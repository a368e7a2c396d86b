// The tokenizer per message, whole and by family of tokens.
//
// Messages are those of a TREC corpus named by THRESHER_CORPORA, else a few built in. The figure to watch is
// time per message (items_per_second) beside bytes per second.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/input/file_reader.h"
#include "pipeline/input/trec_index.h"
#include "tokenizer/message_head.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {
namespace {

constexpr char kPlain[] =
    "From: Joe Doe <joe@example.com>\nTo: ann@example.org\nSubject: The boat\nMessage-ID: <1@example.com>\n"
    "Date: Thu, 22 Aug 2002 12:36:20 +0200\n\nShall we sail on Saturday? The weather will be fine, they "
    "say.\n"
    "See http://www.example.com/harbour?berth=12 for the way.\n";
constexpr char kHtml[] =
    "From: Shop <news@shop.example>\nTo: ann@example.org\nSubject: =?utf-8?Q?Gr=C3=B6=C3=9Fer?= than ever\n"
    "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    "<html><body bgcolor=#ffffff><table><tr><td>Gr\xc3\xb6\xc3\x9f"
    "er<td><b>today</b> only</table>"
    "<a href=\"http://shop.example/a/b\">here</a><img src=x.gif></body></html>\n";

// Every eighth message, so that the whole corpus is sampled and fits the caches no better than it does in
// use.
std::vector<std::string> ReadMessages() {
  const char* const corpora = std::getenv("THRESHER_CORPORA");
  if (corpora == nullptr) return {kPlain, kHtml};
  const auto index = pipeline::ReadTrecIndex(std::string(corpora) + "/spamassassin/full/index");
  if (!index) return {kPlain, kHtml};
  std::vector<std::string> messages;
  for (size_t i = 0; i < index->entries.size(); i += 8) {
    messages.emplace_back();
    if (!pipeline::ReadFile(index->FileOf(index->entries[i]), &messages.back())) messages.pop_back();
  }
  return messages;
}

const std::vector<std::string>& Messages() {
  static const std::vector<std::string> kMessages = ReadMessages();
  return kMessages;
}

Options Only(bool Options::*family) {
  Options options;
  for (bool Options::*other :
       {&Options::raw_ngrams, &Options::headers, &Options::body_words, &Options::html_structure,
        &Options::urls, &Options::attachments, &Options::word_pairs}) {
    options.*other = other == family;
  }
  return options;
}

void TokenizeMessages(benchmark::State& state, const Options& options) {
  Tokenizer tokenizer(options, 1);
  Features features;
  size_t next = 0;
  size_t bytes = 0;
  size_t count = 0;
  for (auto _ : state) {
    const std::string& message = Messages()[next];
    tokenizer.Tokenize(message, Kind::kMail, &features);
    benchmark::DoNotOptimize(features.ids.data());
    bytes += message.size();
    count += features.size();
    next = next + 1 == Messages().size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  state.counters["features"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kAvgIterations);
}

void EachMessage(benchmark::State& state, const std::function<void(const std::string&)>& run) {
  size_t next = 0;
  for (auto _ : state) {
    run(Messages()[next]);
    next = next + 1 == Messages().size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(TokenizeMessages, everything, Options());
BENCHMARK_CAPTURE(TokenizeMessages, nothing, Only(nullptr));
BENCHMARK_CAPTURE(TokenizeMessages, raw_ngrams, Only(&Options::raw_ngrams));
BENCHMARK_CAPTURE(TokenizeMessages, headers, Only(&Options::headers));
BENCHMARK_CAPTURE(TokenizeMessages, body_words, Only(&Options::body_words));
BENCHMARK_CAPTURE(TokenizeMessages, html_structure, Only(&Options::html_structure));
BENCHMARK_CAPTURE(TokenizeMessages, urls, Only(&Options::urls));
BENCHMARK_CAPTURE(TokenizeMessages, attachments, Only(&Options::attachments));

void KeepOwnBytesOfMessages(benchmark::State& state) {
  const Options options;
  std::string kept;
  EachMessage(state, [&](const std::string& message) {
    KeepOwnBytes(message, options.ignore_headers, &kept);
    benchmark::DoNotOptimize(kept.data());
  });
}
BENCHMARK(KeepOwnBytesOfMessages);

void KeysOfMessages(benchmark::State& state) {
  EachMessage(state, [](const std::string& message) { benchmark::DoNotOptimize(KeyOf(message)); });
}
BENCHMARK(KeysOfMessages);

}  // namespace
}  // namespace thresher::tokenizer
