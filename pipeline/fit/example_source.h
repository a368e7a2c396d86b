// Examples for batch fitting, from wherever they are: what a model was taught, files in libsvm's or Vowpal
// Wabbit's form, the messages of a TREC index, folders of messages.
//
// Called by fit and regret. What a model was taught is read as of one moment, beside a writer: what comes
// later is not part of it. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct StoredExamples {
  ExampleStore store;
  uint64_t last_seq = 0;    // of the log, as it was
  uint64_t superseded = 0;  // examples left out because the message was taught once more later
};

// on_progress(n), if there is one, is called after each example.
using OnProgress = std::function<void(uint64_t)>;

// The log of the model in `dir`: of each message what it was last taught as. Columns are feature ids.
Result<StoredExamples> LoadStoredExamples(const std::filesystem::path& dir, const Settings& settings,
                                          const OnProgress& on_progress);

// The lines of files, one after the other; columns are the files' numbers. An error names file and line.
Result<ExampleStore> LoadExampleFiles(const std::vector<std::string>& paths, const OnProgress& on_progress);

// Whether the file's first line is one of a TREC index.
Result<bool> IsTrecIndex(const std::string& path);

// The messages of TREC indexes, with the features of `settings`. Those that cannot be read are reported to
// on_unreadable and passed over.
Result<ExampleStore> LoadTrecExamples(const std::vector<std::string>& paths, const Settings& settings,
                                      tokenizer::Kind kind, size_t threads,
                                      const std::function<void(const Error&)>& on_unreadable,
                                      const OnProgress& on_progress);

}  // namespace thresher::pipeline
