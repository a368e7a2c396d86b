#include "learners/steps/online_steps.h"

namespace thresher::learners {

bool OnlineSteps::Rebase(std::span<std::byte> globals, RowStore& all) {
  bool read = true;
  learner_->Rebase([&](const auto& visit) { read = read && all.ForEachMutable(visit); }, globals);
  derived_.reset();
  return read;
}

bool OnlineSteps::Derive(std::span<const std::byte> globals, RowStore& all) {
  bool read = true;
  auto derived = learner_->Derive([&](const auto& visit) { read = all.ForEach(visit); }, globals);
  if (read) derived_ = std::move(derived);
  return read;
}

}  // namespace thresher::learners
