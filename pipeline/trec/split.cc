#include "pipeline/trec/split.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace thresher::pipeline {

TrecIndex Shuffled(TrecIndex index, uint64_t seed) {
  std::mt19937_64 random(seed);
  // std::shuffle differs between libraries.
  for (size_t left = index.entries.size(); left > 1; --left)
    std::swap(index.entries[left - 1], index.entries[random() % left]);
  return index;
}

TrecIndex TrainFirst(TrecIndex index, double first) {
  const auto size = static_cast<double>(index.entries.size());
  const auto count = static_cast<size_t>(std::min(size, first < 1 ? first * size : first));
  for (size_t i = 0; i < index.entries.size(); ++i)
    (i < count ? index.entries[i].classify : index.entries[i].train) = false;
  return index;
}

TrecIndex Fold(const TrecIndex& index, uint64_t folds, uint64_t fold) {
  TrecIndex split{index.path, index.folder, {}};
  std::vector<TrecEntry> judged;
  uint64_t dealt[2] = {0, 0};
  for (const TrecEntry& entry : index.entries) {
    const bool here = entry.classify && dealt[entry.is_spam ? 1 : 0]++ % folds == fold;
    TrecEntry copy = entry;
    (here ? copy.train : copy.classify) = false;
    if (copy.classify || copy.train) (here ? judged : split.entries).push_back(std::move(copy));
  }
  split.entries.insert(split.entries.end(), judged.begin(), judged.end());
  return split;
}

}  // namespace thresher::pipeline
