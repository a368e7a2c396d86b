// What `thresher fit` prints: a fit epoch by epoch, a path penalty by penalty, a trial before it installs; as
// a table that grows as it goes, or as JSON at the end.
//
// Called by fit.cc. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/fit/fitting.h"
#include "pipeline/fit/path.h"
#include "pipeline/fit/trial.h"
#include "pipeline/plot/panel.h"

namespace thresher::pipeline {

class FitReport {
 public:
  // `options_text` are the solver's, complete. `how` and `examples` must outlive it.
  FitReport(const FitOptions& how, std::string options_text, const ExampleStore& examples, bool json);

  // As JSON, the last point so far stands on standard error, if that is a terminal.
  void Add(const FitPoint& point);
  // There was an error if there is no `fitted`.
  void End(const Fitted* fitted);

 private:
  void PrintHead() const;
  void PrintJson(const Fitted& fitted) const;

  const FitOptions& how_;
  std::string options_text_;
  const ExampleStore& examples_;
  bool json_;
  bool on_terminal_;
  bool begun_ = false;
};

class PathReport {
 public:
  PathReport(size_t examples, double held_out, bool json);

  void Add(const PathPoint& point);
  void End(const std::vector<PathPoint>& path) const;

 private:
  size_t examples_;
  double held_out_;
  bool json_;
  bool begun_ = false;
};

// A table of the rival, named `learner`, and of each fit.
std::string TrialTable(const Trial& trial, const std::string& learner, const std::string& solver);
// The figures of both in one line.
std::string TrialLine(const Trial& trial);

// Errors, held-out loss and non-zero weights against the penalty.
std::vector<Panel> DrawPath(const std::vector<PathPoint>& path);

}  // namespace thresher::pipeline
