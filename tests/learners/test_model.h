// A model in memory, as the pipeline keeps one: a learner, its globals and its rows by feature id.
#pragma once

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

namespace thresher::learners {

struct Example {
  std::vector<uint64_t> ids;
  std::vector<float> values;
  Label label = Label::kHam;

  SparseVector X() const { return {.ids = ids, .values = values}; }
};

class TestModel {
 public:
  explicit TestModel(std::shared_ptr<const Learner> learner)
      : learner_(std::move(learner)), globals_(learner_->GlobalsBytes()) {
    learner_->InitGlobals(globals_);
  }

  // A copy derives anew what its learner derives from the rows, as a model does that is opened again.
  TestModel(const TestModel& other)
      : learner_(other.learner_), globals_(other.globals_), rows_(other.rows_), rebases_(other.rebases_) {}
  TestModel(TestModel&&) = default;
  TestModel& operator=(TestModel&&) = default;
  TestModel& operator=(const TestModel&) = delete;
  ~TestModel() = default;

  double Score(const Example& example) const {
    std::vector<const std::byte*> rows;
    for (const uint64_t id : example.ids) {
      const auto found = rows_.find(id);
      rows.push_back(found == rows_.end() ? nullptr : found->second.data());
    }
    return learner_->Score(example.X(), rows, globals_);
  }

  Update Learn(const Example& example) { return LearnWithMargin(example, Score(example)); }

  Update LearnWithMargin(const Example& example, double margin) {
    std::vector<std::byte*> rows;
    for (const uint64_t id : example.ids) rows.push_back(RowOf(id).data());
    if (derived_ == nullptr) derived_ = Derive();
    const Update update = learner_->Learn(example.X(), example.label, margin, rows, globals_, derived_.get());
    if (update.rebase_due) Rebase();
    return update;
  }

  void Rebase() {
    do {
      for (auto& [id, row] : rows_) learner_->Rebase(row.data(), globals_);
    } while (learner_->FinishRebase(globals_));
    derived_.reset();
    ++rebases_;
  }

  // Drops each dead row with probability `chance`.
  void DropDead(double chance, std::mt19937_64& random) {
    std::bernoulli_distribution drop(chance);
    std::erase_if(rows_, [&](const auto& entry) { return !IsLive(entry.first) && drop(random); });
  }

  double Weight(uint64_t id) const {
    const auto found = rows_.find(id);
    return found == rows_.end() ? 0 : learner_->Weight(found->second.data(), globals_);
  }
  std::optional<Sparsity> SparsityNow() const { return learner_->SparsityNow(globals_); }
  bool IsLive(uint64_t id) const {
    const auto found = rows_.find(id);
    return found != rows_.end() && learner_->IsLive(found->second.data(), globals_);
  }
  Counts CountsOf(uint64_t id) const { return Learner::CountsOf(rows_.at(id).data()); }
  void SetCounts(uint64_t id, const Counts& counts) {
    std::memcpy(rows_.at(id).data(), &counts, sizeof(counts));
  }
  std::unique_ptr<Derived> Derive() const {
    const auto visit_all = [this](const std::function<void(uint64_t, const std::byte*)>& visit) {
      for (const auto& [id, row] : rows_) visit(id, row.data());
    };
    return learner_->Derive(visit_all, globals_);
  }

  // The rows that are live; with equal globals, all that may matter for what follows.
  std::map<uint64_t, std::vector<std::byte>> LiveRows() const {
    auto live = rows_;
    std::erase_if(live, [&](const auto& entry) { return !IsLive(entry.first); });
    return live;
  }
  const std::map<uint64_t, std::vector<std::byte>>& rows() const { return rows_; }
  const std::vector<std::byte>& globals() const { return globals_; }
  const Learner& learner() const { return *learner_; }
  int rebases() const { return rebases_; }

  // The same rows and globals under another learner object.
  TestModel Reopened(std::shared_ptr<const Learner> learner) const {
    TestModel copy = *this;
    copy.learner_ = std::move(learner);
    return copy;
  }

 private:
  std::vector<std::byte>& RowOf(uint64_t id) {
    auto& row = rows_[id];
    row.resize(learner_->RowBytes());
    return row;
  }

  std::shared_ptr<const Learner> learner_;
  std::vector<std::byte> globals_;
  std::map<uint64_t, std::vector<std::byte>> rows_;
  std::unique_ptr<Derived> derived_;
  int rebases_ = 0;
};

}  // namespace thresher::learners
