// A model in memory, as the pipeline keeps one: a learner, its globals and its rows by feature id.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "learners/registry.h"
#include "learners/steps/online_steps.h"

namespace thresher::learners {

struct Example {
  std::vector<uint64_t> ids;
  std::vector<float> values;
  Label label = Label::kHam;

  SparseVector X() const { return {.ids = ids, .values = values}; }
};

class TestModel final : public RowStore {
 public:
  explicit TestModel(std::shared_ptr<const Learner> learner)
      : steps_(std::move(learner)), globals_(this->learner().GlobalsBytes()) {
    this->learner().InitGlobals(globals_);
  }

  // A copy does not copy the derived state: it derives it anew, like a model that is opened again.
  TestModel(const TestModel& other) : TestModel(other, other.steps_.shared_learner()) {}
  TestModel(TestModel&&) = default;
  TestModel& operator=(TestModel&&) = default;
  TestModel& operator=(const TestModel&) = delete;
  ~TestModel() override = default;

  double Score(const Example& example) const {
    std::vector<const std::byte*> rows;
    for (const uint64_t id : example.ids) {
      const auto found = rows_.find(id);
      rows.push_back(found == rows_.end() ? nullptr : found->second.data());
    }
    return learner().Score(example.X(), rows, globals_);
  }

  OnlineSteps::Step Learn(const Example& example, Occasion occasion = Occasion::kNew) {
    return LearnWithMargin(example, Score(example), occasion);
  }

  OnlineSteps::Step LearnWithMargin(const Example& example, double margin,
                                    Occasion occasion = Occasion::kNew) {
    std::vector<std::byte*> rows;
    for (const uint64_t id : example.ids) rows.push_back(RowOf(id).data());
    const auto touch = [&] { return std::optional(std::span<std::byte* const>(rows)); };
    const OnlineSteps::Step step =
        *steps_.Learn(example.X(), example.label, margin, globals_, *this, touch, occasion);
    steps_taken_ += step.outcome == Outcome::kUpdated ? 1 : 0;
    rebases_ += step.rebased ? 1 : 0;
    return step;
  }

  void Rebase() {
    EXPECT_TRUE(steps_.Rebase(globals_, *this));
    ++rebases_;
  }

  // Drops each prunable row with probability `chance`.
  void Prune(double chance, std::mt19937_64& random) {
    std::bernoulli_distribution drop(chance);
    std::erase_if(rows_, [&](const auto& entry) { return !IsLive(entry.first) && drop(random); });
  }

  double Weight(uint64_t id) const {
    const auto found = rows_.find(id);
    return found == rows_.end() ? 0 : learner().Weight(found->second.data(), globals_);
  }
  bool IsLive(uint64_t id) const {
    const auto found = rows_.find(id);
    return found != rows_.end() && learner().IsLive(found->second.data(), globals_);
  }
  Counts CountsOf(uint64_t id) const { return Learner::CountsOf(rows_.at(id).data()); }
  void SetCounts(uint64_t id, const Counts& counts) {
    std::memcpy(rows_.at(id).data(), &counts, sizeof(counts));
  }
  void TakeRate(uint64_t id, uint64_t other) { learner().TakeRate(RowOf(id).data(), rows_.at(other).data()); }
  void SetGlobals(std::vector<std::byte> globals) { globals_ = std::move(globals); }
  void SetRow(uint64_t id, std::vector<std::byte> row) { rows_.at(id) = std::move(row); }
  std::unique_ptr<Derived> Derive() {
    return learner().Derive([this](const auto& visit) { EXPECT_TRUE(ForEach(visit)); }, globals_);
  }

  [[nodiscard]] bool ForEach(const std::function<void(uint64_t, const std::byte*)>& visit) override {
    for (const auto& [id, row] : rows_) visit(id, row.data());
    return true;
  }
  [[nodiscard]] bool ForEachMutable(const std::function<void(std::byte*)>& visit) override {
    for (auto& [id, row] : rows_) visit(row.data());
    return true;
  }

  // The live rows: with the globals, all that later results may depend on.
  std::map<uint64_t, std::vector<std::byte>> LiveRows() const {
    auto live = rows_;
    std::erase_if(live, [&](const auto& entry) { return !IsLive(entry.first); });
    return live;
  }
  const std::map<uint64_t, std::vector<std::byte>>& rows() const { return rows_; }
  const std::vector<std::byte>& globals() const { return globals_; }
  const Learner& learner() const { return steps_.learner(); }
  int steps() const { return steps_taken_; }  // since it was made or copied
  int rebases() const { return rebases_; }

  // The same rows and globals under another learner object.
  TestModel Reopened(std::shared_ptr<const Learner> learner) const { return {*this, std::move(learner)}; }

 private:
  TestModel(const TestModel& other, std::shared_ptr<const Learner> learner)
      : steps_(std::move(learner)), globals_(other.globals_), rows_(other.rows_), rebases_(other.rebases_) {}

  std::vector<std::byte>& RowOf(uint64_t id) {
    auto& row = rows_[id];
    row.resize(learner().RowBytes());
    return row;
  }

  OnlineSteps steps_;
  std::vector<std::byte> globals_;
  std::map<uint64_t, std::vector<std::byte>> rows_;
  int steps_taken_ = 0;
  int rebases_ = 0;
};

}  // namespace thresher::learners
