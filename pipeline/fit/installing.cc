#include "pipeline/fit/installing.h"

#include <cmath>

#include "learners/loss.h"

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;

Label LabelOf(float target) { return target > 0 ? Label::kSpam : Label::kHam; }

}  // namespace

Model::Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                                   uint64_t through_seq) {
  const learners::batch::Examples view = examples.View();
  Model::Installation installation;
  installation.through_seq = through_seq;
  std::vector<double> slopes;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    const double margin = learners::batch::Dot(view.rows[i], weights);
    const Label label = LabelOf(view.targets[i]);
    installation.calibration.Learn(margin, label);
    slopes.push_back(learners::LossDerivative(learners::Loss::kLogistic, margin, label));
  }
  for (size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    learners::Planted planted = {.weight = weights[j], .gradient_norm = 0, .counts = {}};
    const SparseLines::Line column = view.columns[j];
    double squares = 0;
    for (size_t k = 0; k < column.size(); ++k) {
      const uint32_t i = column.indices[k];
      const double gradient = slopes[i] * static_cast<double>(column.values[k]);
      squares += gradient * gradient;
      ++(view.targets[i] > 0 ? planted.counts.spam : planted.counts.ham);
    }
    planted.gradient_norm = std::sqrt(squares);
    installation.ids.push_back(examples.ids()[j]);
    installation.planted.push_back(planted);
  }
  return installation;
}

}  // namespace thresher::pipeline
