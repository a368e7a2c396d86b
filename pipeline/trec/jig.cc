#include "pipeline/trec/jig.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "pipeline/input/byte_stream.h"

namespace thresher::pipeline {
namespace {

// A filter reads the file itself and need not support compression. Checking a FIFO would consume its data,
// and might wait for a writer for ever.
Result<void> CheckPlain(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored))
    return tl::unexpected(Error{kNoInput, path + ": not a regular file"});
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  char magic[kMagicBytes];
  const Result<size_t> count = file->Read(magic, sizeof magic);
  if (!count) return tl::unexpected(count.error());
  if (!IsCompressed({magic, *count})) return {};
  return tl::unexpected(Error{kData, path + ": compressed; filters read uncompressed messages"});
}

class JigRun {
 public:
  JigRun(TrecFilter& filter, const TrecIndex& index) : filter_(filter), index_(index) {}

  Result<JigReport> Run(const std::function<void(size_t, const eval::Outcome*)>& on_step) {
    const auto start = std::chrono::steady_clock::now();
    if (auto done = filter_.Initialize(); !done) return tl::unexpected(done.error());
    for (size_t i = 0; i < index_.entries.size(); ++i) {
      const auto outcome = Step(index_.entries[i]);
      if (!outcome) return tl::unexpected(outcome.error());
      on_step(i + 1, *outcome ? &**outcome : nullptr);
    }
    report_.state_bytes = filter_.StateBytes();
    if (auto done = filter_.Finalize(); !done) return tl::unexpected(done.error());
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
  }

 private:
  Result<std::optional<eval::Outcome>> Step(const TrecEntry& entry) {
    const std::string file = std::filesystem::absolute(index_.FileOf(entry)).string();
    if (const auto plain = CheckPlain(file); !plain) {
      report_.unreadable.push_back(fmt::format("{}:{}: {}", index_.path, entry.line, plain.error().message));
      return std::nullopt;
    }
    std::optional<eval::Outcome> outcome;
    if (entry.classify) {
      auto answer = filter_.Classify(file);
      if (!answer) return tl::unexpected(answer.error());
      outcome = {entry.is_spam, answer->spam, answer->score, answer->probability};
      ++report_.classified;
      answers_.emplace(entry.line, *std::move(answer));
    }
    if (entry.train) {
      if (auto trained = Train(entry, file); !trained) return tl::unexpected(trained.error());
    }
    return outcome;
  }

  Result<void> Train(const TrecEntry& entry, const std::string& file) {
    const auto node = answers_.extract(entry.classify ? entry.line : entry.answers);
    ++report_.trained;
    if (node.empty()) return filter_.Train(entry.taught_spam, file, "unknown", "");
    const Answer& answer = node.mapped();
    return filter_.Train(entry.taught_spam, file, answer.spam ? "spam" : "ham", answer.auxiliary);
  }

  TrecFilter& filter_;
  const TrecIndex& index_;
  std::unordered_map<size_t, Answer> answers_;  // by line, of messages not trained yet
  JigReport report_;
};

}  // namespace

Result<JigReport> Jig(TrecFilter& filter, const TrecIndex& index,
                      const std::function<void(size_t, const eval::Outcome*)>& on_step) {
  return JigRun(filter, index).Run(on_step);
}

}  // namespace thresher::pipeline
