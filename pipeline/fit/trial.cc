#include "pipeline/fit/trial.h"

#include <algorithm>
#include <array>
#include <utility>

#include "eval/figures.h"
#include "eval/probability_figures.h"
#include "eval/ranking.h"
#include "eval/roc.h"
#include "pipeline/fit/held_out.h"
#include "pipeline/fit/installing.h"
#include "pipeline/model/scoring_by_part.h"
#include "pipeline/opening/opening.h"
#include "storage/example_log.h"

namespace thresher::pipeline {
namespace {

constexpr std::array kPenalties = {"1e-4", "3e-5", "1e-5", "3e-6", "1e-6", "3e-7", "1e-7"};

std::vector<uint64_t> Pick(std::span<const uint64_t> seqs, std::span<const size_t> rows) {
  std::vector<uint64_t> picked;
  for (const size_t i : rows) picked.push_back(seqs[i]);
  return picked;
}

TrialFigures Judge(std::span<const float> targets, std::span<const Score> scores,
                   const Thresholds& thresholds) {
  std::vector<eval::Outcome> outcomes;
  for (size_t i = 0; i < targets.size(); ++i) {
    outcomes.push_back({.judged_spam = targets[i] > 0,
                        .called_spam = VerdictOf(scores[i], thresholds) == Verdict::kSpam,
                        .score = scores[i].margin,
                        .probability = scores[i].probability});
  }
  return FiguresOf(outcomes);
}

Result<std::vector<Score>> RivalScores(const std::filesystem::path& dir, const Settings& settings,
                                       const PartOfLog& part, Trial* trial) {
  auto stored = OpenStored(dir, settings);
  if (!stored) return tl::unexpected(stored.error());
  trial->rival_is_live = storage::ExampleLog(*stored->database).extent().first_seq > 1;
  if (trial->rival_is_live)
    return ScoreLogged(std::move(stored->database), std::move(stored->identity), part.scored);
  return ScoreByPart(std::move(stored->database), std::move(stored->identity), part);
}

}  // namespace

TrialFigures FiguresOf(std::span<const eval::Outcome> outcomes) {
  const eval::ContingencyTable table = eval::Tabulate(outcomes);
  return {.spam_missed = table.spam_as_ham,
          .ham_lost = table.ham_as_spam,
          .roc_area_above = *eval::RocAreaAbove(eval::Rank(outcomes)),
          .log_loss = eval::JudgeProbabilities(outcomes)->log_loss};
}

bool IsNoWorse(const TrialFigures& one, const TrialFigures& other) {
  return one.spam_missed <= other.spam_missed && one.ham_lost <= other.ham_lost &&
         one.roc_area_above <= other.roc_area_above && one.log_loss <= other.log_loss;
}

const Trial::Fit& Trial::Best() const {
  if (chosen) return fits[*chosen];
  return *std::ranges::min_element(fits, {}, [](const Fit& fit) { return fit.figures.log_loss; });
}

bool Trial::IsSmall() const { return std::min(ham, spam) < kTrialLeast; }

std::vector<learners::OptionValues> PenaltiesToTry() {
  std::vector<learners::OptionValues> options;
  options.reserve(std::size(kPenalties));
  for (const char* const l2 : kPenalties) options.push_back({{"l2", l2}});
  return options;
}

Result<Trial> TryBeforeInstalling(const std::filesystem::path& dir, const Settings& settings,
                                  const StoredExamples& examples, const FitOptions& how,
                                  const std::vector<learners::OptionValues>& options) {
  const auto split = HoldOut(examples.store.targets(), kTrialShare, examples.is_self);
  if (!split) return tl::unexpected(split.error());
  const auto earlier = examples.store.Select(split->earlier);
  const auto later = examples.store.Select(split->later);
  if (!earlier) return tl::unexpected(earlier.error());
  if (!later) return tl::unexpected(later.error());

  Trial trial;
  for (const float target : later->targets()) ++(target > 0 ? trial.spam : trial.ham);
  const PartOfLog part = {Pick(examples.seqs, split->earlier), Pick(examples.seqs, split->later)};
  const auto rival = RivalScores(dir, settings, part, &trial);
  if (!rival) return tl::unexpected(rival.error());
  trial.rival = Judge(later->targets(), *rival, settings.thresholds);
  const auto installed = GlobalsOnceInstalled(dir, settings);
  if (!installed) return tl::unexpected(installed.error());

  FitOptions fit = how;
  fit.resume.clear();
  fit.on_report = {};
  std::vector<double> weights;
  for (const learners::OptionValues& each : options) {
    fit.options = each;
    fit.start = weights;
    auto fitted = Fit(*earlier, fit);
    if (!fitted) return tl::unexpected(fitted.error());
    weights = std::move(fitted->weights);
    const auto scores = ScoresOf(*later, weights, *installed);
    trial.fits.push_back({each, Judge(later->targets(), scores, settings.thresholds)});
    if (!IsNoWorse(trial.fits.back().figures, trial.rival)) continue;
    trial.chosen = trial.fits.size() - 1;
    break;
  }
  return trial;
}

}  // namespace thresher::pipeline
