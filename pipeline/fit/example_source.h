// Loads examples for batch fitting: those of a model's log, files in libsvm's or Vowpal Wabbit's format, or
// the messages of a TREC index.
//
// Called by fit, regret and doubt. A log is read as of one moment while a writer may run: later examples are
// not part of it. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/inspection.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct StoredExamples {
  ExampleStore store;
  std::vector<uint64_t> seqs;           // of each row: the number of its example
  std::vector<bool> is_self;            // of each row: its label is the model's own (Evidence::kSelf)
  uint64_t last_seq = 0;                // of the log when it was read
  std::optional<int64_t> last_time_us;  // when that example was taught; nothing if it has expired
  ModelIdentity identity;               // of the model
};

// on_progress(n), if there is one, is called after each example.
using OnProgress = std::function<void(uint64_t)>;

// The log of the model in `dir`: each message once, with its last label. Columns are feature ids.
Result<StoredExamples> LoadStoredExamples(const std::filesystem::path& dir, const Settings& settings,
                                          const OnProgress& on_progress);

// An error (kData) if `model` is not the one of `examples`, or if a rebuild has numbered its examples anew
// since they were read.
Result<void> CheckSameExamples(const StoredExamples& examples, const Inspection& model);

// The examples of files, in order. If the first file is a TREC index, all are: the examples are the messages
// that they train, with the features of `settings`; messages that cannot be read are reported to
// on_unreadable and skipped. Otherwise each line is an example, columns are the numbers in the files, and an
// error names file and line.
Result<ExampleStore> LoadExamples(const std::vector<std::string>& paths, const Settings& settings,
                                  tokenizer::Kind kind,
                                  const std::function<void(const Error&)>& on_unreadable,
                                  const OnProgress& on_progress);

}  // namespace thresher::pipeline
