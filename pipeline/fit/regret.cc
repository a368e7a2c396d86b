#include "pipeline/fit/regret.h"

#include <algorithm>
#include <utility>

#include "learners/loss/loss.h"
#include "learners/steps/array_model.h"

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;

double LogisticLoss(double margin, learners::Label label) {
  return learners::LossValue(learners::Loss::kLogistic, margin, label);
}

}  // namespace

std::vector<double> OnlineLosses(const ExampleStore& examples,
                                 std::shared_ptr<const learners::Learner> learner) {
  const learners::batch::Examples view = examples.View();
  learners::ArrayModel model(std::move(learner), view.rows.width);
  std::vector<double> losses;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    const SparseLines::Line x = view.rows[i];
    const double margin = model.Score(x.indices, x.values);
    model.Learn(x.indices, x.values, view.LabelOf(i), margin);
    losses.push_back(LogisticLoss(margin, view.LabelOf(i)));
  }
  return losses;
}

std::vector<double> FixedLosses(const ExampleStore& examples, std::span<const double> weights) {
  const learners::batch::Examples view = examples.View();
  std::vector<double> losses;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    losses.push_back(LogisticLoss(learners::batch::Dot(view.rows[i], weights), view.LabelOf(i)));
  }
  return losses;
}

std::vector<size_t> RoundNumbersUpTo(size_t count) {
  std::vector<size_t> numbers;
  for (size_t decade = 1; decade <= count; decade *= 10) {
    for (const size_t digit : {size_t{1}, size_t{2}, size_t{5}}) {
      if (digit * decade < count) numbers.push_back(digit * decade);
    }
  }
  if (count > 0) numbers.push_back(count);
  return numbers;
}

std::vector<size_t> PlacesUpTo(size_t count) {
  std::vector<size_t> places;
  for (size_t place = 1; place < count; place += 1 + place / 20) places.push_back(place);
  if (count > 0) places.push_back(count);
  return places;
}

std::vector<double> AverageRegret(std::span<const double> online, std::span<const double> fixed,
                                  std::span<const size_t> times) {
  std::vector<double> averages;
  double sum = 0;
  size_t done = 0;
  for (const size_t time : times) {
    for (; done < time; ++done) sum += online[done] - fixed[done];
    averages.push_back(sum / static_cast<double>(time));
  }
  return averages;
}

}  // namespace thresher::pipeline
