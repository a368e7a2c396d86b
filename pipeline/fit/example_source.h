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
#include "pipeline/model_identity.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct StoredExamples {
  ExampleStore store;
  uint64_t last_seq = 0;   // of the log, as it was
  ModelIdentity identity;  // of the model
};

// on_progress(n), if there is one, is called after each example.
using OnProgress = std::function<void(uint64_t)>;

// The log of the model in `dir`: of each message what it was last taught as. Columns are feature ids.
Result<StoredExamples> LoadStoredExamples(const std::filesystem::path& dir, const Settings& settings,
                                          const OnProgress& on_progress);

// What files hold, one after the other: lines, of which an error names file and line, columns being the
// files' numbers; or, where the first file is a TREC index, the messages of indexes, with the features of
// `settings`. Those that cannot be read are reported to on_unreadable and passed over.
Result<ExampleStore> LoadExamples(const std::vector<std::string>& paths, const Settings& settings,
                                  tokenizer::Kind kind,
                                  const std::function<void(const Error&)>& on_unreadable,
                                  const OnProgress& on_progress);

}  // namespace thresher::pipeline
