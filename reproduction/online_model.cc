#include "reproduction/online_model.h"

#include <stdexcept>

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
    : learner_(Make(name, std::move(options))),
      width_(width),
      rows_(width * learner_->RowBytes() / sizeof(uint64_t)),
      globals_(learner_->GlobalsBytes() / sizeof(uint64_t)) {
  learner_->InitGlobals(std::as_writable_bytes(std::span(globals_)));
  derived_ = Derive();
}

double OnlineModel::Score(const DataSet::Line& x) {
  const learners::SparseVector vector = Begin(x);
  return learner_->Score(vector, {looked_up_.data(), looked_up_.size()}, std::as_bytes(std::span(globals_)));
}

void OnlineModel::Learn(const DataSet::Line& x, float target, double margin) {
  const learners::SparseVector vector = Begin(x);
  const learners::Label label = target > 0 ? learners::Label::kSpam : learners::Label::kHam;
  const learners::Update update = learner_->Learn(
      vector, label, margin, looked_up_, std::as_writable_bytes(std::span(globals_)), derived_.get());
  if (update.rebase_due) Rebase();
}

std::vector<double> OnlineModel::Weights() const {
  std::vector<double> weights(width_);
  const auto globals = std::as_bytes(std::span(globals_));
  for (uint32_t j = 0; j < width_; ++j) weights[j] = learner_->Weight(RowOf(j), globals);
  return weights;
}

size_t OnlineModel::Nonzeros() const {
  size_t count = 0;
  const auto globals = std::as_bytes(std::span(globals_));
  for (uint32_t j = 0; j < width_; ++j) count += learner_->Weight(RowOf(j), globals) != 0 ? 1 : 0;
  return count;
}

std::byte* OnlineModel::RowOf(uint64_t feature) {
  return std::as_writable_bytes(std::span(rows_)).data() + feature * learner_->RowBytes();
}

const std::byte* OnlineModel::RowOf(uint64_t feature) const {
  return std::as_bytes(std::span(rows_)).data() + feature * learner_->RowBytes();
}

learners::SparseVector OnlineModel::Begin(const DataSet::Line& x) {
  ids_.assign(x.indices.begin(), x.indices.end());
  looked_up_.clear();
  for (const uint64_t id : ids_) looked_up_.push_back(RowOf(id));
  return {.ids = ids_, .values = x.values};
}

std::unique_ptr<learners::Derived> OnlineModel::Derive() const {
  const auto visit_all = [this](const auto& visit) {
    for (uint64_t id = 0; id < width_; ++id) visit(id, RowOf(id));
  };
  return learner_->Derive(visit_all, std::as_bytes(std::span(globals_)));
}

void OnlineModel::Rebase() {
  const auto globals = std::as_writable_bytes(std::span(globals_));
  do {
    for (uint64_t id = 0; id < width_; ++id) learner_->Rebase(RowOf(id), globals);
  } while (learner_->FinishRebase(globals));
  derived_ = Derive();
}

}  // namespace thresher::reproduction
