#include "pipeline/commands/example_flags.h"

#include <utility>

#include "pipeline/commands/running.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"

namespace thresher::pipeline {

void ExampleFlags::AddTo(Command command) {
  command
      .Add("INPUT", &inputs,
           "Examples to use instead of the model's: files in libsvm or Vowpal Wabbit format, or TREC "
           "indexes, plain or compressed; - is standard input. An index must be a regular file")
      .Reads();
  command.Add("--document", &document, "The messages are plain text without mail headers");
}

Result<LoadedExamples> ExampleFlags::Load(const Settings& settings) const {
  if (inputs.empty()) {
    return LoadModelExamples(settings).map(
        [](StoredExamples&& stored) { return LoadedExamples{std::move(stored.store)}; });
  }
  Progress progress("examples", 0);
  size_t unread = 0;
  const auto on_unreadable = [&](const Error& error) {
    Fail(error);
    ++unread;
  };
  auto examples =
      LoadExamples(inputs, settings, kind(), on_unreadable, [&](uint64_t done) { progress.Set(done); });
  if (!examples) return tl::unexpected(examples.error());
  return LoadedExamples{*std::move(examples), unread};
}

Result<StoredExamples> LoadModelExamples(const Settings& settings) {
  Progress progress("examples", 0);
  return LoadStoredExamples(ModelDirectory(settings), settings, [&](uint64_t done) { progress.Set(done); });
}

}  // namespace thresher::pipeline
