// What works beside the models of a daemon, one for all of them: the spool's writer, the thread that looks
// through models, and the sum of their memory.
//
// Made by Models, or by a ModelService that is alone; each ModelService has a part in it. Thread-safety: any
// threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "pipeline/serve/look_thread.h"
#include "pipeline/serve/spool_writer.h"

namespace thresher::pipeline {

struct BesideModels {
  explicit BesideModels(SpoolWriter::OnFailure on_not_kept = [](const tokenizer::MessageKey&,
                                                                const Error&) {})
      : spool_writer(SpoolWriter::kMostWaitingBytes, std::move(on_not_kept)) {}

  SpoolWriter spool_writer;
  LookThread looks;
  std::atomic<size_t> memory_bytes = 0;  // of all models that are open, about
};

}  // namespace thresher::pipeline
