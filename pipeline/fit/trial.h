// Whether fitted weights would serve a model better than what its own learner makes: both learn the same
// earlier examples and judge the same later ones, which neither has learned.
//
// A live model is no fair rival on its own examples, for it has learned them all; nor can fitted weights be
// judged on examples that they were fitted to. Nor do labels that the model gave itself prove anything. So
// the rival is the model's learner, taught once more, and only the earlier examples. Where part of the log
// has expired, it cannot be taught again what the live model was taught: the live model itself is the rival
// then, and that it has learned the later examples counts in its favour. Called by the fit command before it
// installs. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// What users see of verdicts, and what the thresholds do not show.
struct TrialFigures {
  uint64_t spam_missed = 0;   // not called spam
  uint64_t ham_lost = 0;      // called spam
  double roc_area_above = 0;  // (1−ROCA)%
  double log_loss = 0;
};

// REQUIRES: both classes.
TrialFigures FiguresOf(std::span<const eval::Outcome> outcomes);

// Whether each figure of `one` is at most that of `other`.
bool IsNoWorse(const TrialFigures& one, const TrialFigures& other);

struct Trial {
  struct Fit {
    learners::OptionValues options;  // of the solver, those that were given
    TrialFigures figures;
  };
  uint64_t ham = 0;  // of the later examples
  uint64_t spam = 0;
  bool rival_is_live = false;
  TrialFigures rival;
  std::vector<Fit> fits;
  std::optional<size_t> chosen;  // the last of the fits, if it is no worse than the rival

  // What is to be said for chosen, or, where nothing is, for the fit with the least log-loss.
  const Fit& Best() const;
  // Whether so few examples of each class were held out that their figures show nothing.
  bool IsSmall() const;
};

// The share of each class that is held out.
inline constexpr double kTrialShare = 1.0 / 3;
// Of each class, at least so many examples must be held out for a trial to count.
inline constexpr uint64_t kTrialLeast = 20;

// Solver options to try when none are given: ℓ2 penalties, the largest first, because it makes the model that
// is least sure of itself, and so loses the least ham.
std::vector<learners::OptionValues> PenaltiesToTry();

// Tries `how` with each of `options`, until one is no worse than the rival. `examples` are those of the model
// in `dir`. An error (kData) if a class has fewer than two.
Result<Trial> TryBeforeInstalling(const std::filesystem::path& dir, const Settings& settings,
                                  const StoredExamples& examples, const FitOptions& how,
                                  const std::vector<learners::OptionValues>& options);

}  // namespace thresher::pipeline
