#include "pipeline/fit/regret.h"

#include <algorithm>
#include <memory>

#include "learners/loss.h"

namespace thresher::pipeline {
namespace {

using learners::Label;
using learners::batch::SparseLines;

Label LabelOf(float target) { return target > 0 ? Label::kSpam : Label::kHam; }

double Loss(double margin, float target) {
  return learners::LossValue(learners::Loss::kLogistic, margin, LabelOf(target));
}

// A model of a learner with all its rows side by side, in memory.
class RowsInMemory {
 public:
  RowsInMemory(const learners::Learner& learner, size_t features)
      : learner_(learner), globals_(learner.GlobalsBytes() / sizeof(uint64_t)), rows_(features * Words()) {
    learner_.InitGlobals(Globals());
  }

  // The margin before.
  double Learn(const SparseLines::Line& x, Label label) {
    if (derived_ == nullptr)
      derived_ = learner_.Derive([this](const auto& visit) { Visit(visit); }, Globals());
    ids_.assign(x.indices.begin(), x.indices.end());
    mutable_rows_.clear();
    for (const uint64_t id : ids_) mutable_rows_.push_back(Row(id));
    rows_of_x_.assign(mutable_rows_.begin(), mutable_rows_.end());
    const learners::SparseVector vector = {ids_, x.values};
    const double margin = learner_.Score(vector, rows_of_x_, Globals());
    if (learner_.Learn(vector, label, margin, mutable_rows_, Globals(), derived_.get()).rebase_due) Rebase();
    return margin;
  }

 private:
  size_t Words() const { return learner_.RowBytes() / sizeof(uint64_t); }
  std::byte* Row(uint64_t id) { return reinterpret_cast<std::byte*>(rows_.data() + id * Words()); }
  std::span<std::byte> Globals() { return std::as_writable_bytes(std::span(globals_)); }

  template <class Function>
  void Visit(const Function& visit) {
    for (uint64_t id = 0; id * Words() < rows_.size(); ++id) visit(id, Row(id));
  }
  void Rebase() {
    do {
      Visit([this](uint64_t, std::byte* row) { learner_.Rebase(row, Globals()); });
    } while (learner_.FinishRebase(Globals()));
    derived_.reset();
  }

  const learners::Learner& learner_;
  std::vector<uint64_t> globals_;  // words, for their alignment
  std::vector<uint64_t> rows_;
  std::unique_ptr<learners::Derived> derived_;
  std::vector<uint64_t> ids_;
  std::vector<std::byte*> mutable_rows_;
  std::vector<const std::byte*> rows_of_x_;
};

}  // namespace

std::vector<double> OnlineLosses(const ExampleStore& examples, const learners::Learner& learner) {
  const learners::batch::Examples view = examples.View();
  RowsInMemory model(learner, view.rows.width);
  std::vector<double> losses;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    losses.push_back(Loss(model.Learn(view.rows[i], LabelOf(view.targets[i])), view.targets[i]));
  }
  return losses;
}

std::vector<double> FixedLosses(const ExampleStore& examples, std::span<const double> weights) {
  const learners::batch::Examples view = examples.View();
  std::vector<double> losses;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    losses.push_back(Loss(learners::batch::Dot(view.rows[i], weights), view.targets[i]));
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
