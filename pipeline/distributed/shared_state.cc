#include "pipeline/distributed/shared_state.h"

#include <algorithm>
#include <span>
#include <utility>

#include "pipeline/fit/solver_state.h"

namespace thresher::pipeline {

SharedState::SharedState(const learners::distributed::Share& share, learners::distributed::Solver& solver,
                         std::string path, std::string of_what)
    : group_(share.group),
      solver_(solver),
      own_parts_(share.own.size()),
      path_(std::move(path)),
      of_what_(std::move(of_what)) {}

Result<void> SharedState::Save() {
  Collect();
  return IsFirst() ? SaveSolver(path_, of_what_, WholeMemory()) : Result<void>();
}

Result<void> SharedState::Restore() {
  Collect();
  Result<bool> restored = IsFirst() ? RestoreSolver(path_, of_what_, WholeMemory()) : Result<bool>(false);
  uint64_t is_restored = restored.value_or(false) ? 1 : 0;
  group_.Broadcast(std::span(&is_restored, 1));
  if (is_restored == 0) return restored ? Result<void>() : tl::unexpected(restored.error());
  for (const std::span<double> part : solver_.SharedMemory()) group_.Broadcast(part);
  std::vector<double> own = OwnParts();
  if (IsFirst()) {
    std::ranges::copy(CollectedOf(0), own.begin());
    for (size_t other = 1; other < group_.size(); ++other)
      group_.SendNumbers(other, std::span<const double>(CollectedOf(other)));
  } else {
    group_.ReceiveNumbers(0, std::span(own));
  }
  auto from = own.cbegin();
  for (size_t k = 0; k < own_parts_; ++k) {
    for (const std::span<double> memory : solver_.PartMemory(k)) {
      std::copy_n(from, memory.size(), memory.begin());
      from += static_cast<std::ptrdiff_t>(memory.size());
    }
  }
  return {};
}

std::vector<double> SharedState::OwnParts() {
  std::vector<double> all;
  for (size_t k = 0; k < own_parts_; ++k)
    for (const std::span<double> memory : solver_.PartMemory(k))
      all.insert(all.end(), memory.begin(), memory.end());
  return all;
}

// All memory in the order of the file, whatever the number of processes.
std::vector<std::span<double>> SharedState::WholeMemory() {
  std::vector<std::span<double>> memory = solver_.SharedMemory();
  memory.emplace_back(collected_);
  return memory;
}

std::span<double> SharedState::CollectedOf(size_t rank) {
  size_t first = 0;
  for (size_t before = 0; before < rank; ++before) first += counts_[before];
  return std::span(collected_).subspan(first, counts_[rank]);
}

void SharedState::Collect() {
  const std::vector<double> own = OwnParts();
  if (!IsFirst()) {
    const uint64_t size = own.size();
    group_.SendNumbers(0, std::span(&size, 1));
    group_.SendNumbers(0, std::span<const double>(own));
    return;
  }
  collected_ = own;
  counts_ = {own.size()};
  for (size_t other = 1; other < group_.size(); ++other) {
    uint64_t size = 0;
    group_.ReceiveNumbers(other, std::span(&size, 1));
    counts_.push_back(size);
    collected_.resize(collected_.size() + size);
    group_.ReceiveNumbers(other, CollectedOf(other));
  }
}

}  // namespace thresher::pipeline
