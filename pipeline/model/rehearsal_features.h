// The features of examples that may be rehearsed, in memory: most examples that are drawn again would change
// nothing, and this is found out without reading them from the log.
//
// Used by Rehearsal. Ids and values only: an example that is learned again is read from the log, which has
// its texts. Holds what was taught last, so it is empty after a model is opened. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "pipeline/model/rehearsal_memory.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {

class RehearsalFeatures {
 public:
  // `most_bytes`: when there are more, the oldest examples leave.
  RehearsalFeatures(const tokenizer::IdSpace& id_space, size_t most_bytes)
      : id_space_(id_space), most_bytes_(most_bytes) {}

  // Does nothing if a token lacks its text: whether it counts then depends on its row
  // (ModelState::KeepWhatHasText); nor with ids that the model does not have.
  void Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features);
  // Gets the example's ids and values, in their order. Returns false if it does not have the example.
  bool Find(const RehearsalMemory::Entry& entry, std::vector<uint64_t>* ids,
            std::vector<float>* values) const;

 private:
  struct Kept {
    uint64_t message;
    std::vector<uint32_t> ids;    // of a token both halves, of an n-gram its bytes, as most features are such
    std::vector<uint8_t> places;  // of the value of each feature, with kNgram
    // Mostly an example has five values. If there are more than kPlaces, this has that of each feature.
    std::vector<float> distinct;
  };
  static constexpr uint8_t kNgram = 0x80;
  static constexpr size_t kPlaces = 0x80;

  static size_t BytesOf(const Kept& kept);
  static void KeepValues(const std::vector<float>& values, Kept* kept);
  bool KeepIds(const std::vector<uint64_t>& ids, Kept* kept) const;

  tokenizer::IdSpace id_space_;
  size_t most_bytes_;
  size_t bytes_ = 0;
  std::map<uint64_t, Kept> kept_;  // by the number of the example
};

}  // namespace thresher::pipeline
