// The messages that a filter scored worst: the ham with the highest scores and the spam with the lowest.
//
// Used by the commands replay and eval for the HTML report. Memory does not grow with the number of messages.
// Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

struct ScoredMessage {
  std::string path;
  Outcome outcome;
};

class WorstErrors {
 public:
  static constexpr size_t kMost = 20;  // of each class

  void Add(std::string_view path, const Outcome& outcome);

  // Worst first. Messages with the same score are in the order of Add.
  const std::vector<ScoredMessage>& ham() const { return ham_; }
  const std::vector<ScoredMessage>& spam() const { return spam_; }

 private:
  std::vector<ScoredMessage> ham_;
  std::vector<ScoredMessage> spam_;
};

}  // namespace thresher::eval
