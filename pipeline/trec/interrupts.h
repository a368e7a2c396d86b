// Holds back signals that end this process (SIGHUP, SIGINT, SIGQUIT, SIGTERM), so that it can first remove
// its temporary files and end the processes it started.
//
// Used by TemporaryDirectory and, through it, by replays and filters under test. Make it before other threads
// start: they inherit the mask. A signal that was ignored (nohup) stays ignored. Thread-safety: made and
// destroyed by one thread; the rest is const and safe from any thread.
#pragma once

#include <csignal>
#include <memory>
#include <utility>

#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

class Interrupts {
 public:
  static Result<std::unique_ptr<Interrupts>> HoldBack();
  // Delivers what is pending: this usually ends the process.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  bool IsPending() const;
  // A descriptor for poll: readable while an interrupt is pending.
  int descriptor() const { return pending_.number(); }
  // The mask before this object was made: what a child process should have.
  const sigset_t& mask_before() const { return mask_before_; }

 private:
  Interrupts(const sigset_t& mask_before, storage::Descriptor pending)
      : mask_before_(mask_before), pending_(std::move(pending)) {}

  sigset_t mask_before_;
  storage::Descriptor pending_;
};

}  // namespace thresher::pipeline
