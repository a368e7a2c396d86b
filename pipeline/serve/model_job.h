// A job of the model's thread that finds something and tells somebody.
//
// Used by ModelService. Thread-safety: as ModelThread runs a job, first run, then done.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/serve/model_thread.h"

namespace thresher::pipeline {

// What a job of the model's thread finds, and who wants to hear it.
template <class T>
struct Pending {
  Result<T> found = tl::unexpected(Error{kInternal, "the job was not done"});
  std::function<void(const Result<T>&)> done;

  // For Job::run. An error is the model's.
  Result<void> Found(Result<T> result) {
    found = std::move(result);
    return found ? Result<void>() : tl::unexpected(found.error());
  }
  // The same for an error that concerns this request only.
  Result<void> Refuse(Error error) {
    found = tl::unexpected(std::move(error));
    return {};
  }
  // For Job::done.
  void Tell(const Result<void>& acknowledged) const {
    done(acknowledged ? found : tl::unexpected(acknowledged.error()));
  }
};

// A job that tells somebody what it finds. run(model, pending)
template <class T, class Run>
ModelThread::Job JobFor(std::function<void(const Result<T>&)> done, Run run) {
  const auto pending = std::make_shared<Pending<T>>();
  pending->done = std::move(done);
  return {.run = [pending, run = std::move(run)](Model& model) { return run(model, *pending); },
          .done = [pending](const Result<void>& acknowledged) { pending->Tell(acknowledged); }};
}

}  // namespace thresher::pipeline
