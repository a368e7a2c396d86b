#include "pipeline/fit/example_source.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "pipeline/fit/example_lines.h"
#include "pipeline/input/file_reader.h"
#include "pipeline/input/in_order.h"
#include "pipeline/input/line_reader.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/input/whole_line.h"
#include "pipeline/model/bad_examples.h"
#include "pipeline/model/each_example.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "storage/example_log.h"
#include "tokenizer/feature_decoder.h"

namespace thresher::pipeline {
namespace {

Result<void> LoadLines(const std::string& path, const OnProgress& on_progress, ExampleStore* store) {
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader reader(*std::move(stream));
  std::string line;
  LineExample example;
  for (uint64_t number = 1;; ++number) {
    const auto wrong = [&](std::string_view what) {
      return tl::unexpected(Error{kData, fmt::format("{}:{}: {}", path, number, what)});
    };
    const auto read = NextLine(&reader, &line);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) return {};
    if (*read == LineRead::kTooLong) return wrong(kLineIsTooLong);
    const auto parsed = ParseExampleLine(line, &example);
    if (!parsed && number == 1 && BeginsTrecIndex(line))
      return wrong(parsed.error() +
                   "; a TREC index must be a regular file, and all other INPUTs indexes, too");
    if (!parsed) return wrong(parsed.error());
    if (!*parsed) continue;
    if (auto added = store->Add(example.numbers, example.values, example.target); !added) return added;
    if (on_progress) on_progress(store->size());
  }
}

// Whether the first line is that of a TREC index. Not for pipes: what is read from them cannot be read again.
Result<bool> IsTrecIndex(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader reader(*std::move(stream));
  const auto piece = reader.Next();
  if (!piece) return tl::unexpected(piece.error());
  return BeginsTrecIndex(piece->bytes);
}

Result<void> LoadIndex(const std::string& path, const Settings& settings, tokenizer::Kind kind,
                       const std::function<void(const Error&)>& on_unreadable, const OnProgress& on_progress,
                       ExampleStore* store) {
  struct Prepared {
    tokenizer::Features features;
    std::optional<Error> error;
  };
  auto index = ReadTrecIndex(path);
  if (!index) return tl::unexpected(index.error());
  std::erase_if(index->entries, [](const TrecEntry& entry) { return !entry.train; });
  const size_t threads = settings.ThreadsToUse();
  std::vector<tokenizer::Tokenizer> tokenizers;
  for (size_t thread = 0; thread < threads; ++thread) tokenizers.emplace_back(settings.features, uint64_t{0});
  std::vector<std::string> buffers(threads);
  Result<void> added;
  const auto prepare = [&](size_t thread, size_t i, Prepared& item) {
    const auto read = ReadFile(index->FileOf(index->entries[i]), &buffers[thread]);
    item.error.reset();
    if (!read) item.error = read.error();
    if (read) tokenizers[thread].Tokenize(buffers[thread], kind, &item.features);
  };
  ForEachInOrder<Prepared>(index->entries.size(), threads, prepare, [&](size_t i, const Prepared& item) {
    if (item.error) {
      on_unreadable(Error{item.error->exit_code,
                          fmt::format("{}:{}: {}", path, index->entries[i].line, item.error->message)});
    }
    const float target = index->entries[i].taught_spam ? 1 : -1;
    if (!item.error) added = store->Add(item.features.ids, item.features.values, target);
    if (on_progress) on_progress(store->size());
    return added.has_value();
  });
  return added;
}

Result<ExampleStore> Finished(ExampleStore store) {
  if (auto done = store.Finish(); !done) return tl::unexpected(done.error());
  return store;
}

}  // namespace

Result<StoredExamples> LoadStoredExamples(const std::filesystem::path& dir, const Settings& settings,
                                          const OnProgress& on_progress) {
  const auto model = OpenStored(dir, settings);
  if (!model) return tl::unexpected(model.error());
  auto store = ExampleStore::Make();
  if (!store) return tl::unexpected(store.error());
  const tokenizer::FeatureDecoder decoder = model->identity.MakeDecoder();
  const storage::ExampleLog log(*model->database);
  std::vector<uint64_t> seqs;
  std::vector<bool> is_self;
  std::optional<int64_t> last_time_us;
  const auto take = [&](const storage::Example& example) -> Result<void> {
    if (const auto wrong = WrongWithExample(example, decoder))
      return tl::unexpected(BadExampleError(example.seq, *wrong));
    if (storage::IsForgotten(example)) return {};
    const auto last = log.Find(example.message_id, example.digest);
    if (!last) return StoreFailure(last.error());
    if (*last && **last != example.seq) return {};  // the message was taught once more
    const auto features = decoder.Decode(example.features);
    seqs.push_back(example.seq);
    is_self.push_back(EvidenceIn(example.evidence) == Evidence::kSelf);
    return store->Add(features->ids, features->values, example.label > 0 ? 1 : -1);
  };
  const auto read = ForEachExample(log, 0, [&](const storage::Example& example) {
    const auto taken = take(example);
    last_time_us = example.time_us;
    if (on_progress) on_progress(example.seq);
    return taken.map([] { return true; });
  });
  if (!read) return tl::unexpected(read.error());
  auto finished = Finished(*std::move(store));
  if (!finished) return tl::unexpected(finished.error());
  return StoredExamples{*std::move(finished), std::move(seqs), std::move(is_self),
                        log.last_seq(),       last_time_us,    model->identity};
}

Result<void> CheckSameExamples(const StoredExamples& examples, const Inspection& model) {
  const Error replaced = {kData, "the model has been replaced or rebuilt since its examples were read"};
  if (model.identity().seed != examples.identity.seed || model.log().last_seq < examples.last_seq)
    return tl::unexpected(replaced);
  const auto last = model.ExampleOf(examples.last_seq);
  if (!last) return tl::unexpected(last.error());
  const auto time = *last ? std::optional((*last)->time_us) : std::nullopt;
  if (time != examples.last_time_us) return tl::unexpected(replaced);
  return {};
}

Result<ExampleStore> LoadExamples(const std::vector<std::string>& paths, const Settings& settings,
                                  tokenizer::Kind kind,
                                  const std::function<void(const Error&)>& on_unreadable,
                                  const OnProgress& on_progress) {
  const auto is_index = IsTrecIndex(paths.front());
  if (!is_index) return tl::unexpected(is_index.error());
  auto store = ExampleStore::Make();
  if (!store) return store;
  for (const std::string& path : paths) {
    const auto done = *is_index ? LoadIndex(path, settings, kind, on_unreadable, on_progress, &*store)
                                : LoadLines(path, on_progress, &*store);
    if (!done) return tl::unexpected(done.error());
  }
  return Finished(*std::move(store));
}

}  // namespace thresher::pipeline
