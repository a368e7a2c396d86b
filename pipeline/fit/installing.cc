#include "pipeline/fit/installing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "learners/loss/loss.h"

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;

// What the calibration begins with counts as much as so many examples at the threshold.
constexpr double kBelief = 20;

Label LabelOf(float target) { return target > 0 ? Label::kSpam : Label::kHam; }

double MedianMagnitude(std::vector<double> margins) {
  if (margins.empty()) return 0;
  const auto middle = margins.begin() + static_cast<std::ptrdiff_t>(margins.size() / 2);
  std::ranges::nth_element(margins, middle, {}, [](double margin) { return std::abs(margin); });
  return std::abs(*middle);
}

// σ(margin), from where it moves with the evidence of later mail. Of the examples that the weights were
// fitted to it takes the scale only: their margins are larger than those of mail to come.
learners::Calibration CalibrationAt(const std::vector<double>& ham_margins,
                                    const std::vector<double>& spam_margins) {
  learners::Calibration calibration;
  calibration.ham = ham_margins.size();
  calibration.spam = spam_margins.size();
  calibration.ham_scale = MedianMagnitude(ham_margins);
  calibration.spam_scale = MedianMagnitude(spam_margins);
  const double scale = (calibration.ham_scale + calibration.spam_scale) / 2;
  calibration.intercept_information = kBelief / 4;  // p(1 − p) at the threshold is ¼
  calibration.slope_information = calibration.intercept_information * scale * scale;
  return calibration;
}

}  // namespace

Result<void> CheckCanInstall(const learners::Learner& learner) {
  if (learner.CanWarmStart()) return {};
  return tl::unexpected(
      Error{kConfig, fmt::format("learner {} cannot continue from weights that it did not learn; "
                                 "`thresher rebuild --learner ftrl` makes a model that can",
                                 learner.Name())});
}

Result<uint64_t> Install(const StoredExamples& examples, std::span<const double> weights, Model& model) {
  if (auto can = CheckCanInstall(*model.identity().learner); !can) return tl::unexpected(can.error());
  if (model.identity().seed != examples.identity.seed || model.Inspect().log().last_seq < examples.last_seq)
    return tl::unexpected(Error{kData, "the model has been replaced since its examples were read"});
  return model.Install(InstallationOf(examples.store, weights, examples.last_seq));
}

Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                            uint64_t through_seq) {
  const learners::batch::Examples view = examples.View();
  Installation installation;
  installation.through_seq = through_seq;
  std::vector<double> slopes;
  std::vector<double> ham_margins;
  std::vector<double> spam_margins;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    const double margin = learners::batch::Dot(view.rows[i], weights);
    const Label label = LabelOf(view.targets[i]);
    (label == Label::kSpam ? spam_margins : ham_margins).push_back(margin);
    slopes.push_back(learners::LossDerivative(learners::Loss::kLogistic, margin, label));
  }
  installation.calibration = CalibrationAt(ham_margins, spam_margins);
  for (size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    learners::FittedWeight fitted = {.weight = weights[j], .gradient_norm = 0, .counts = {}};
    const SparseLines::Line column = view.columns[j];
    double squares = 0;
    for (size_t k = 0; k < column.size(); ++k) {
      const uint32_t i = column.indices[k];
      const double gradient = slopes[i] * static_cast<double>(column.values[k]);
      squares += gradient * gradient;
      ++(view.targets[i] > 0 ? fitted.counts.spam : fitted.counts.ham);
    }
    fitted.gradient_norm = std::sqrt(squares);
    installation.ids.push_back(examples.ids()[j]);
    installation.weights.push_back(fitted);
  }
  return installation;
}

std::vector<Score> ScoresOf(const ExampleStore& examples, std::span<const double> weights) {
  const learners::batch::SparseLines rows = examples.View().rows;
  const learners::Calibration calibration;
  std::vector<Score> scores;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double margin = learners::batch::Dot(rows[i], weights);
    scores.push_back({margin, calibration.Probability(margin)});
  }
  return scores;
}

}  // namespace thresher::pipeline
