// A model in memory: a learner and its rows for features 0 … width − 1, side by side in one array.
//
// Used where nothing is stored: regret, the reproduction, benchmarks, the choice of defaults, tests.
// Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "learners/learner.h"
#include "learners/steps/online_steps.h"

namespace thresher::learners {

// Words: an array of uint64_t, made from its size, all zero.
template <class Words = std::vector<uint64_t>>
class ArrayModel final : public RowStore {
 public:
  ArrayModel(std::shared_ptr<const Learner> used, size_t width)
      : steps_(std::move(used)),
        width_(width),
        rows_(width * steps_.learner().RowBytes() / sizeof(uint64_t)),
        globals_(steps_.learner().GlobalsBytes() / sizeof(uint64_t)) {
    learner().InitGlobals(globals());
  }

  const Learner& learner() const { return steps_.learner(); }
  std::span<std::byte> globals() { return std::as_writable_bytes(std::span(globals_)); }
  std::span<const std::byte> globals() const { return std::as_bytes(std::span(globals_)); }

  std::byte* RowOf(uint64_t feature) {
    return std::as_writable_bytes(std::span(rows_.data(), rows_.size())).data() +
           feature * learner().RowBytes();
  }
  const std::byte* RowOf(uint64_t feature) const {
    return std::as_bytes(std::span(rows_.data(), rows_.size())).data() + feature * learner().RowBytes();
  }
  double Weight(uint64_t feature) const { return learner().Weight(RowOf(feature), globals()); }

  // With rows that were looked up: rows[i] is RowOf(x.ids[i]).
  double Score(const SparseVector& x, std::span<std::byte* const> rows) const {
    return learner().Score(x, {rows.data(), rows.size()}, globals());
  }
  OnlineSteps::Step Learn(const SparseVector& x, Label label, double margin, std::span<std::byte* const> rows,
                          Occasion occasion = Occasion::kNew) {
    return *steps_.Learn(
        x, label, margin, globals(), *this, [&] { return std::optional(rows); }, occasion);
  }

  // The same for an example in the form of batch solvers and data sets.
  double Score(std::span<const uint32_t> indices, std::span<const float> values) {
    const SparseVector x = LookUp(indices, values);
    return Score(x, looked_up_);
  }
  OnlineSteps::Step Learn(std::span<const uint32_t> indices, std::span<const float> values, Label label,
                          double margin, Occasion occasion = Occasion::kNew) {
    const SparseVector x = LookUp(indices, values);
    return Learn(x, label, margin, looked_up_, occasion);
  }

  [[nodiscard]] bool ForEach(const std::function<void(uint64_t id, const std::byte* row)>& visit) override {
    for (uint64_t feature = 0; feature < width_; ++feature) visit(feature, RowOf(feature));
    return true;
  }
  [[nodiscard]] bool ForEachMutable(const std::function<void(std::byte* row)>& visit) override {
    for (uint64_t feature = 0; feature < width_; ++feature) visit(RowOf(feature));
    return true;
  }

 private:
  SparseVector LookUp(std::span<const uint32_t> indices, std::span<const float> values) {
    ids_.assign(indices.begin(), indices.end());
    looked_up_.clear();
    for (const uint64_t id : ids_) looked_up_.push_back(RowOf(id));
    return {.ids = ids_, .values = values};
  }

  OnlineSteps steps_;
  size_t width_;
  Words rows_;
  std::vector<uint64_t> globals_;      // words, for their alignment
  std::vector<uint64_t> ids_;          // of the current example
  std::vector<std::byte*> looked_up_;  // its rows
};

}  // namespace thresher::learners
