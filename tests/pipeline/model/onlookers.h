// Threads that score the same messages again and again while a model learns, and compare the scores with
// expected ones.
//
// Used by the tests of LiveScorer. Thread-safety: one thread creates, uses and destroys an object.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "pipeline/model/live_scorer.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// [n][i]: the score of message i after n examples.
using Expected = std::vector<std::vector<Score>>;

class Onlookers {
 public:
  // REQUIRES: all arguments outlive the object.
  Onlookers(LiveScorer& live, const std::vector<tokenizer::Features>& messages, const Expected& expected);
  ~Onlookers();
  Onlookers(const Onlookers&) = delete;
  Onlookers& operator=(const Onlookers&) = delete;

  // Returns when each thread has scored all messages once more.
  void AwaitRound();
  // The number of scores that were not expected, or were of an earlier model than the score before.
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
