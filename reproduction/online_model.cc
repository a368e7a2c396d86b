#include "reproduction/online_model.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace thresher::reproduction {
namespace {

std::unique_ptr<learners::Learner> Make(std::string_view name, learners::OptionValues options) {
  options.emplace("min_gradient", "0");
  auto learner = learners::MakeLearner(name, options);
  if (!learner) throw std::invalid_argument(learner.error());
  return std::move(*learner);
}

}  // namespace

OnlineModel::OnlineModel(std::string_view name, learners::OptionValues options, uint32_t width)
    : width_(width), model_(Make(name, std::move(options)), width) {}

void OnlineModel::Learn(const DataSet::Line& x, float target, double margin) {
  model_.Learn(x.indices, x.values, target > 0 ? learners::Label::kSpam : learners::Label::kHam, margin);
}

std::vector<double> OnlineModel::Weights() const {
  std::vector<double> weights(width_);
  for (uint32_t j = 0; j < width_; ++j) weights[j] = model_.Weight(j);
  return weights;
}

size_t OnlineModel::Nonzeros() const {
  const std::vector<double> weights = Weights();
  return weights.size() - static_cast<size_t>(std::ranges::count(weights, 0.0));
}

}  // namespace thresher::reproduction
