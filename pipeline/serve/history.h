// What a daemon did in each minute of the last day: verdicts, feedback, mistakes, the size of the model.
//
// Written by WatchedService and ModelService, read by the HTTP interface. In memory only: it begins when the
// daemon does. A minute in which nothing happened has no entry. Thread-safety: any threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "pipeline/delivery/teaching.h"
#include "pipeline/model/evidence.h"
#include "pipeline/verdict.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

class History {
 public:
  static constexpr int64_t kStepSeconds = 60;
  static constexpr size_t kMostSteps = 1440;
  // Of messages whose verdict is remembered until somebody says whether it was right.
  static constexpr size_t kMostVerdicts = 10000;

  // Times are seconds since 1970.
  explicit History(int64_t now) : since_(now) {}

  void Judge(const tokenizer::MessageKey& key, Verdict verdict, uint64_t microseconds, int64_t now);
  // The first time that a judged message is taught, that says whether its verdict was right.
  void Teach(const tokenizer::MessageKey& key, Label label, TeachResult result, int64_t now);
  void Measure(uint64_t nonzeros, int64_t now);

  // {"since": T, "step": 60, "steps": [{"time": T, "spam": …, "ham": …, "unsure": …, "taught_ham": …,
  // "taught_spam": …, "lost_ham": …, "missed_spam": …, "seconds": …, "nonzeros": … or null}, …]}, oldest
  // first, of the day before `now`. lost_ham: called Spam and taught as ham. missed_spam: not called Spam and
  // taught as spam.
  nlohmann::ordered_json Json(int64_t now) const;

 private:
  struct Step {
    int64_t begin = 0;
    std::array<uint64_t, 3> verdicts = {};  // by Verdict
    uint64_t taught_ham = 0;
    uint64_t taught_spam = 0;
    uint64_t lost_ham = 0;
    uint64_t missed_spam = 0;
    uint64_t microseconds = 0;  // of judging
    std::optional<uint64_t> nonzeros = {};
  };
  struct Remembered {
    Verdict verdict = Verdict::kUnsure;
    uint64_t order = 0;  // in judged_
  };
  // Of this time. REQUIRES: mutex_ is held.
  Step& At(int64_t now);

  mutable std::mutex mutex_;
  int64_t since_;
  std::deque<Step> steps_;
  std::unordered_map<std::string, Remembered> verdicts_;  // by TextOf(key), until their labels are known
  std::deque<std::pair<uint64_t, std::string>> judged_;   // their orders and keys and others', oldest first
  uint64_t order_ = 0;                                    // the last one
};

}  // namespace thresher::pipeline
