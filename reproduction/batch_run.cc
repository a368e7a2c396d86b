#include "reproduction/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>

#include "learners/loss/loss.h"
#include "reproduction/online_model.h"

namespace thresher::reproduction {
namespace {

using learners::batch::Progress;

void Serially(const std::function<void(size_t, size_t)>& body) { body(0, 1); }

void Add(Trace* trace, double accesses, double objective, double gap, std::span<const double> weights) {
  trace->objective.Add(accesses, objective);
  trace->gap.Add(accesses, gap);
  trace->nonzeros.Add(accesses, static_cast<double>(learners::batch::CountNonzeros(weights)));
  double norm = 0;
  for (const double weight : weights) norm += std::abs(weight);
  trace->l1_norm.Add(accesses, norm);
}

}  // namespace

RecordClock::RecordClock(const RunLimit& limit) {
  constexpr double kFirst = 1e-3;
  const auto points = static_cast<double>(limit.points);
  every_ = limit.accesses * (limit.early_points ? kFirst : 1 / points);
  ratio_ = limit.early_points ? std::pow(1 / kFirst, 1 / points) : 1;
}

bool RecordClock::IsDue(double accesses) {
  if (accesses < next_) return false;
  next_ = ratio_ == 1 ? accesses + every_ : std::max(every_, accesses * ratio_);
  return true;
}

Matrix::Matrix(const DataSet& data)
    : data_(data), starts_(data.width + 1), indices_(data.entries()), values_(data.entries()) {
  for (const uint32_t j : data.indices) ++starts_[j + 1];
  for (size_t j = 0; j < data.width; ++j) starts_[j + 1] += starts_[j];
  std::vector<uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t i = 0; i < data.size(); ++i) {
    const DataSet::Line line = data[i];
    for (size_t k = 0; k < line.indices.size(); ++k) {
      const uint64_t at = next[line.indices[k]]++;
      indices_[at] = static_cast<uint32_t>(i);
      values_[at] = line.values[k];
    }
  }
}

learners::batch::Examples Matrix::examples() const {
  return {.rows = {.starts = data_.starts,
                   .indices = data_.indices,
                   .values = data_.values,
                   .width = data_.width},
          .columns = {.starts = starts_,
                      .indices = indices_,
                      .values = values_,
                      .width = static_cast<uint32_t>(data_.size())},
          .targets = data_.targets};
}

Trace& Trace::Named(const std::string& name) {
  objective.name = gap.name = nonzeros.name = l1_norm.name = epochs.name = name;
  return *this;
}

Trace RunSolver(std::string_view solver, const learners::OptionValues& options, const Matrix& matrix,
                const RunLimit& limit, uint64_t seed) {
  auto made = learners::batch::MakeSolver(solver, options, matrix.examples(), seed, Serially);
  if (!made) throw std::invalid_argument(made.error());
  learners::batch::Solver& run = **made;
  Trace trace;
  RecordClock clock(limit);
  Progress progress = run.Report();
  const auto add = [&] {
    Add(&trace, static_cast<double>(progress.data_accesses), progress.primal, progress.gap, run.Weights());
    trace.epochs.Add(static_cast<double>(progress.data_accesses), static_cast<double>(progress.epochs));
  };
  clock.IsDue(0);
  add();
  while (static_cast<double>(progress.data_accesses) < limit.accesses && progress.gap > limit.gap) {
    run.Step();
    progress = run.Report();
    if (clock.IsDue(static_cast<double>(progress.data_accesses))) add();
  }
  if (trace.objective.x.back() < static_cast<double>(progress.data_accesses)) add();
  trace.weights.assign(run.Weights().begin(), run.Weights().end());
  return trace;
}

Trace RunLearner(std::string_view learner, const learners::OptionValues& options, const DataSet& data,
                 double lambda, const RunLimit& limit, uint64_t seed) {
  OnlineModel model(learner, options, data.width);
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<size_t> draw(0, data.size() - 1);
  Trace trace;
  RecordClock clock(limit);
  double accesses = 0;
  while (true) {
    const bool is_last = accesses >= limit.accesses;
    if (clock.IsDue(accesses) || is_last) {
      const std::vector<double> weights = model.Weights();
      Add(&trace, accesses, L1LogisticObjective(data, weights, lambda), std::nan(""), weights);
      trace.weights = weights;
    }
    if (is_last) return trace;
    const size_t i = draw(random);
    model.Learn(data[i], data.targets[i], model.Score(data[i]));
    accesses += 2 * static_cast<double>(data[i].indices.size());  // for the margin, and for the step
  }
}

learners::OptionValues ScdAsDrawn(CurvatureBound bound, double lambda) {
  return {{"l1", fmt::format("{}", lambda)},
          {"form", "split"},
          {"step", bound == CurvatureBound::kOne ? "bound" : "column"},
          {"support_passes", "0"},
          {"order", "sampled"},
          {"screening", "off"}};
}

learners::OptionValues DetCdOptions(CurvatureBound bound, double lambda) {
  return {{"l1", fmt::format("{}", lambda)}, {"step", bound == CurvatureBound::kOne ? "bound" : "column"}};
}

KnownMinimum FindMinimum(const Matrix& matrix, double lambda, double gap) {
  const Trace trace = RunSolver("prox-newton", {{"l1", fmt::format("{}", lambda)}}, matrix,
                                {.accesses = 1e12, .gap = gap, .points = 1});
  KnownMinimum minimum = {.objective = trace.objective.y.back() - trace.gap.y.back(),
                          .l1_norm = trace.l1_norm.y.back()};
  for (const double w : trace.weights) minimum.squared_norm += w * w;
  return minimum;
}

double L1LogisticObjective(const DataSet& data, const std::vector<double>& weights, double lambda) {
  double loss = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    const DataSet::Line x = data[i];
    double margin = 0;
    for (size_t k = 0; k < x.indices.size(); ++k) {
      margin += weights[x.indices[k]] * static_cast<double>(x.values[k]);
    }
    const auto label = data.targets[i] > 0 ? learners::Label::kSpam : learners::Label::kHam;
    loss += learners::LossValue(learners::Loss::kLogistic, margin, label);
  }
  double norm = 0;
  for (const double weight : weights) norm += std::abs(weight);
  return loss / static_cast<double>(data.size()) + lambda * norm;
}

double ValueAt(const Series& series, double x) {
  const auto after = std::ranges::upper_bound(series.x, x) - series.x.begin();
  return series.y.at(after == 0 ? 0 : static_cast<size_t>(after) - 1);
}

}  // namespace thresher::reproduction
