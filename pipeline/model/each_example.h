// Reads a store from one end to the other, until what is read turns out wrong.
//
// Storage knows errors of its own only; here those of the visitor end a walk, too. Called by whatever reads
// the whole log of a model, and by export. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/error.h"
#include "pipeline/model/store_error.h"
#include "storage/example_log.h"

namespace thresher::pipeline {

// `walk` passes each item to the function it is called with, until that returns false. `visit` returns
// whether to go on; its error ends the walk.
template <class Walk, class Visit>
Result<void> WalkUntilError(const Walk& walk, const Visit& visit) {
  std::optional<Error> failure;
  const auto walked = walk([&](const auto& item) {
    const Result<bool> goes_on = visit(item);
    if (!goes_on) failure = goes_on.error();
    return goes_on.value_or(false);
  });
  if (failure) return tl::unexpected(*failure);
  if (!walked) return StoreFailure(walked.error());
  return {};
}

// The examples after number `after`, forgotten ones as well. `visit` returns whether to go on, or an error.
template <class Visit>
Result<void> ForEachExample(const storage::ExampleLog& log, uint64_t after, const Visit& visit) {
  return WalkUntilError([&](const auto& pass) { return log.Read(after, pass); }, visit);
}

}  // namespace thresher::pipeline
