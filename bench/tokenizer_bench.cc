// Time of the tokenizer per message: with all families of tokens, with none, and with each one alone; and
// that of GMime to parse the same messages, and nothing else.
//
// The messages come from the TREC corpora in the folder THRESHER_CORPORA; without it, from two built-in
// messages. Compare items_per_second, which counts messages, and bytes_per_second.
#include <benchmark/benchmark.h>
#include <gmime/gmime.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/input/file_reader.h"
#include "pipeline/input/trec_index.h"
#include "tests/tokenizer/token_texts.h"
#include "tokenizer/message_head.h"
#include "tokenizer/message_key.h"
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

// Every eighth message: a sample of the whole corpus, large enough that it does not fit the caches better
// than in real use.
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

void TokenizeOneFamily(benchmark::State& state) {
  const TokenFamily& family = kTokenFamilies[static_cast<size_t>(state.range(0))];
  Options options = NoTokens();
  options.*family.enabled = true;
  state.SetLabel(std::string(family.setting));
  TokenizeMessages(state, options);
}

BENCHMARK_CAPTURE(TokenizeMessages, everything, Options());
BENCHMARK_CAPTURE(TokenizeMessages, nothing, NoTokens());
BENCHMARK(TokenizeOneFamily)->DenseRange(0, kTokenFamilies.size() - 1);

void KeepOwnBytesOfMessages(benchmark::State& state) {
  const HeaderPatterns ignored(Options().ignore_headers);
  std::string kept;
  EachMessage(state, [&](const std::string& message) {
    KeepOwnBytes(message, ignored, &kept);
    benchmark::DoNotOptimize(kept.data());
  });
}
BENCHMARK(KeepOwnBytesOfMessages);

void KeysOfMessages(benchmark::State& state) {
  const KeyMaker keys(std::string(KeyMaker::kSecretBytes, 's'), {});
  EachMessage(state, [&](const std::string& message) { benchmark::DoNotOptimize(keys.KeysOf(message)); });
}
BENCHMARK(KeysOfMessages);

void ParseMessagesByGMime(benchmark::State& state) {
  g_mime_init();
  EachMessage(state, [](const std::string& message) {
    GMimeStream* const stream = g_mime_stream_mem_new_with_buffer(message.data(), message.size());
    GMimeParser* const parser = g_mime_parser_new_with_stream(stream);
    GMimeMessage* const parsed = g_mime_parser_construct_message(parser, nullptr);
    benchmark::DoNotOptimize(parsed);
    if (parsed != nullptr) g_object_unref(parsed);
    g_object_unref(parser);
    g_object_unref(stream);
  });
}
BENCHMARK(ParseMessagesByGMime);

}  // namespace
}  // namespace thresher::tokenizer
