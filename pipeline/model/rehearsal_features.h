// The features of examples that may be rehearsed, in memory: most examples that are drawn again would change
// nothing, and this is found out without reading them from the log.
//
// Filled and asked by Rehearsal. Ids and values only: an example that is learned again is read from the log,
// which has its texts. Holds what was taught last, so it is empty after a model is opened. Thread-safety: one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "pipeline/model/rehearsal_memory.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

class RehearsalFeatures {
 public:
  // `most_bytes`: when there are more, the oldest examples leave.
  explicit RehearsalFeatures(size_t most_bytes) : most_bytes_(most_bytes) {}

  struct Kept {
    uint64_t message;
    std::vector<uint64_t> ids;
    // Mostly an example has five values. Of more than 256, `distinct` has that of each feature, and `places`
    // is empty.
    std::vector<float> distinct;
    std::vector<uint8_t> places;  // of the value of each feature

    void GetValues(std::vector<float>* values) const;
  };

  // Does nothing if a token lacks its text: whether it counts then depends on its row
  // (ModelState::KeepWhatHasText).
  void Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features);
  // Null if it does not have the example. Valid until the next Add.
  const Kept* Find(const RehearsalMemory::Entry& entry) const;

 private:
  size_t most_bytes_;
  size_t bytes_ = 0;
  std::map<uint64_t, Kept> kept_;  // by the number of the example
};

}  // namespace thresher::pipeline
