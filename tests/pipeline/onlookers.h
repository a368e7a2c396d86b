// Threads that score the same messages over and over while a model is taught, and compare.
//
// Used by the tests of LiveScorer. Thread-safety: one thread makes, asks and ends them.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "pipeline/live_scorer.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// [n][i]: of message i after n examples.
using Expected = std::vector<std::vector<Score>>;

class Onlookers {
 public:
  // REQUIRES: all outlive it.
  Onlookers(LiveScorer& live, const std::vector<tokenizer::Features>& messages, const Expected& expected);
  ~Onlookers();
  Onlookers(const Onlookers&) = delete;
  Onlookers& operator=(const Onlookers&) = delete;

  // Returns when each of them has scored all messages again.
  void AwaitRound();
  // Scores that were another number than expected, or of an earlier model than the one before.
  uint64_t wrong() const { return wrong_; }

 private:
  static constexpr int kThreads = 3;

  void Look(std::atomic<uint64_t>* rounds);

  LiveScorer& live_;
  const std::vector<tokenizer::Features>& messages_;
  const Expected& expected_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> wrong_ = 0;
  std::vector<std::atomic<uint64_t>> rounds_;
  std::vector<std::thread> threads_;
};

}  // namespace thresher::pipeline
