// Runs a learner's steps over rows and globals that the caller keeps.
//
// Does what Learner requires of its caller around a step: keeps what a whole-model learner derived from all
// rows, and rebases all rows when that is due. Used by everything that learns online: the pipeline's trainer,
// ArrayModel, the model of the tests. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "learners/learner.h"

namespace thresher::learners {

// All rows of a model.
class RowStore {
 public:
  virtual ~RowStore() = default;
  // Call `visit` with each row, in any order. False if not all rows can be read.
  [[nodiscard]] virtual bool ForEach(const std::function<void(uint64_t id, const std::byte* row)>& visit) = 0;
  [[nodiscard]] virtual bool ForEachMutable(const std::function<void(std::byte* row)>& visit) = 0;

 protected:
  RowStore() = default;
  RowStore(const RowStore&) = default;
  RowStore& operator=(const RowStore&) = default;
};

class OnlineSteps {
 public:
  // REQUIRES: all calls pass the rows and globals of one model, which nobody else writes between them.
  explicit OnlineSteps(std::shared_ptr<const Learner> learner) : learner_(std::move(learner)) {}

  // A copy is for a copy of the rows and globals, from which it derives anew what the learner needs.
  OnlineSteps(const OnlineSteps& other) : learner_(other.learner_) {}
  OnlineSteps(OnlineSteps&&) = default;
  OnlineSteps& operator=(const OnlineSteps&) = delete;
  OnlineSteps& operator=(OnlineSteps&&) = default;
  ~OnlineSteps() = default;

  const Learner& learner() const { return *learner_; }
  const std::shared_ptr<const Learner>& shared_learner() const { return learner_; }

  struct Step {
    Outcome outcome = Outcome::kUpdated;
    bool rebased = false;  // every row was written, not only those of the example
    double excess = 0;     // Update::excess
  };
  // Learns from x, whose score is `margin`. `touch` returns the rows of x, all present, as
  // std::optional<std::span<std::byte* const>>. It is called after `all` was read, which may move rows.
  // Returns nothing if `all` or `touch` failed; the rows may then be partly written.
  template <class Touch>
  [[nodiscard]] std::optional<Step> Learn(const SparseVector& x, Label label, double margin,
                                          std::span<std::byte> globals, RowStore& all, const Touch& touch,
                                          Occasion occasion = Occasion::kNew) {
    if (!derived_ && !Derive(globals, all)) return std::nullopt;
    const std::optional<std::span<std::byte* const>> rows = touch();
    if (!rows) return std::nullopt;
    const Update update = learner_->Learn(x, label, margin, *rows, globals, derived_->get(), occasion);
    if (update.rebase_due && !Rebase(globals, all)) return std::nullopt;
    return Step{update.outcome, update.rebase_due, update.excess};
  }

  // Rewrites every row in new units (Learner::Rebase). Learn calls it where it is due.
  [[nodiscard]] bool Rebase(std::span<std::byte> globals, RowStore& all);

 private:
  bool Derive(std::span<const std::byte> globals, RowStore& all);

  std::shared_ptr<const Learner> learner_;
  // What the learner derived from all rows; null for most learners. No value before the first step and after
  // a rebase.
  std::optional<std::unique_ptr<Derived>> derived_;
};

}  // namespace thresher::learners
