// The thread that owns the model: opens it, does what changes it or looks into it, closes it.
//
// Used by ModelService. Jobs that wait are done one after the other and acknowledged together. A model that
// cannot be opened, or whose disk fails, is opened again every few seconds; meanwhile jobs are refused.
// Thread-safety: Post and Ready from any thread; the others from the thread that made it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

class ModelThread {
 public:
  struct Job {
    // An error says that the model must not be used any more; what concerns this job only is the job's own.
    std::function<Result<void>(Model&)> run;
    // Called after run and the acknowledgement, with what went wrong in one of them, or instead of run.
    std::function<void(const Result<void>&)> done;
  };
  struct Hooks {
    std::function<Result<std::unique_ptr<Model>>()> open;
    // Each time the model has been opened.
    std::function<Result<void>(Model&)> on_open;
    // When it has been opened, and each time a checkpoint has been made since. An error: as that of a job.
    std::function<Result<void>(Model&)> on_checkpoint = [](Model&) { return Result<void>(); };
    // Each time Ready() begins to say something else.
    std::function<void(const Result<void>&)> on_change;
    // So long after a message was taught, the checkpoint is made that lets readers see it, and recovery be
    // short.
    std::chrono::milliseconds until_checkpoint{5000};
  };

  ModelThread(Hooks hooks, size_t longest_queue);
  ~ModelThread();  // as Stop
  ModelThread(const ModelThread&) = delete;
  ModelThread& operator=(const ModelThread&) = delete;

  // Does the job later. It is refused, in this thread, if the queue is full or there is no model. While the
  // model is opened for the first time, jobs wait.
  void Post(Job job);
  // Why there is no model, if there is none.
  Result<void> Ready() const;
  // Waits until the model was opened, or failed to be for the first time. False if that takes longer.
  bool AwaitFirstOpening(std::chrono::milliseconds patience);
  size_t waiting() const;

  // The thread begins to do what Stop waits for.
  void BeginStop();
  // Does all jobs that were posted, checkpoints and closes the model. Returns what went wrong in that.
  Result<void> Stop();

 private:
  void Work();
  void Open();
  // The jobs that wait, once there are some; none if it is time to look for something else to do.
  std::vector<Job> AwaitJobs();
  std::optional<Error> WhyRefused() const;  // with mutex_ held
  void Do(const std::vector<Job>& jobs);
  void NoteWhatWasTaught();
  void CheckpointIfDue();
  // Jobs make checkpoints, too.
  void TellOfCheckpoint();
  void Close(Error reason);
  void Say(Result<void> ready);

  using Clock = std::chrono::steady_clock;

  Hooks hooks_;
  size_t longest_queue_;
  std::unique_ptr<Model> model_;                 // of the thread
  std::optional<Clock::time_point> checkpoint_;  // due then, if there is an example that none has
  Clock::duration checkpoint_took_{};            // the last one
  std::optional<uint64_t> told_;                 // the last example of the checkpoint that was told of
  Result<void> stopped_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  Result<void> ready_;
  bool was_tried_ = false;
  bool stop_ = false;

  std::thread thread_;
};

}  // namespace thresher::pipeline
