#include "pipeline/fit/installing.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "learners/loss/calibration.h"
#include "learners/loss/loss.h"
#include "pipeline/model/state.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;

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
  if (auto same = CheckSameExamples(examples, model.Inspect()); !same) return tl::unexpected(same.error());
  return model.Install(InstallationOf(examples.store, weights, examples.last_seq));
}

Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                            uint64_t through_seq) {
  const learners::batch::Examples view = examples.View();
  Installation installation;
  installation.through_seq = through_seq;
  std::vector<double> slopes;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    const double margin = learners::batch::Dot(view.rows[i], weights);
    const Label label = view.LabelOf(i);
    slopes.push_back(learners::LossDerivative(learners::Loss::kLogistic, margin, label));
  }
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

Result<ModelGlobals> GlobalsOnceInstalled(const std::filesystem::path& dir, const Settings& settings) {
  auto stored = OpenStored(dir, settings);
  if (!stored) return tl::unexpected(stored.error());
  const auto state = ModelState::Load(std::move(stored->database), std::move(stored->identity));
  if (!state) return tl::unexpected(state.error());
  ModelGlobals globals = std::move((*state)->globals);
  globals.facts().calibration = learners::Calibration();
  return globals;
}

std::vector<Score> ScoresOf(const ExampleStore& examples, std::span<const double> weights,
                            const ModelGlobals& installed) {
  const learners::batch::SparseLines rows = examples.View().rows;
  std::vector<Score> scores;
  for (size_t i = 0; i < rows.size(); ++i) {
    scores.push_back(ScoreOf(learners::batch::Dot(rows[i], weights), installed));
  }
  return scores;
}

}  // namespace thresher::pipeline
