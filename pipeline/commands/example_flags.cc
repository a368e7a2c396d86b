#include "pipeline/commands/example_flags.h"

#include <utility>

#include "pipeline/commands/running.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"

namespace thresher::pipeline {

void ExampleFlags::AddTo(Command command) {
  command.Add("INPUT", &inputs,
              "Examples to use instead of the model's: files in libsvm or Vowpal Wabbit format, or TREC "
              "indexes, plain or compressed; - is standard input");
  command.Add("--document", &document, "The messages are plain text without mail headers");
}

Result<StoredExamples> ExampleFlags::Load(const Settings& settings) const {
  Progress progress("examples", 0);
  const auto on_progress = [&](uint64_t done) { progress.Set(done); };
  if (inputs.empty()) return LoadStoredExamples(ModelDirectory(settings), settings, on_progress);
  size_t unread = 0;
  const auto on_unreadable = [&](const Error& error) {
    Fail(error);
    ++unread;
  };
  auto examples = LoadExamples(inputs, settings, kind(), on_unreadable, on_progress);
  if (!examples) return tl::unexpected(examples.error());
  return StoredExamples{.store = *std::move(examples), .identity = {}, .unread = unread};
}

}  // namespace thresher::pipeline
