#include "pipeline/trec/split.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/input/share.h"

namespace thresher::pipeline {
namespace {

struct Numbered {
  std::vector<size_t> numbers;  // of each entry's message
  size_t messages = 0;
};

// Late feedback and what it answers are of one message.
Numbered NumberMessages(const std::vector<TrecEntry>& entries) {
  Numbered numbered;
  std::unordered_map<size_t, size_t> classified;  // numbers by line
  for (const TrecEntry& entry : entries) {
    const auto answered = classified.find(entry.answers);
    numbered.numbers.push_back(answered != classified.end() ? answered->second : numbered.messages++);
    if (entry.classify) classified[entry.line] = numbered.numbers.back();
  }
  return numbered;
}

// Late feedback that has come before what it answers changes places with it.
void PutFeedbackBehind(std::vector<TrecEntry>* entries) {
  std::unordered_map<size_t, size_t> classified;  // places by line
  for (size_t i = 0; i < entries->size(); ++i) {
    if ((*entries)[i].classify) classified[(*entries)[i].line] = i;
  }
  for (size_t i = 0; i < entries->size(); ++i) {
    const auto answered = classified.find((*entries)[i].answers);
    if (answered == classified.end() || answered->second < i) continue;
    std::swap((*entries)[i], (*entries)[answered->second]);
    answered->second = i;
  }
}

// For an index in which no entry is both trained and classified: what is neither is left out, and feedback
// that is late comes before what is classified, too.
TrecIndex TrainedFirst(TrecIndex index) {
  std::erase_if(index.entries, [](const TrecEntry& entry) { return !entry.train && !entry.classify; });
  std::stable_partition(index.entries.begin(), index.entries.end(),
                        [](const TrecEntry& entry) { return entry.train; });
  return index;
}

}  // namespace

TrecIndex Shuffled(TrecIndex index, uint64_t seed) {
  std::mt19937_64 random(seed);
  // std::shuffle differs between libraries.
  for (size_t left = index.entries.size(); left > 1; --left)
    std::swap(index.entries[left - 1], index.entries[random() % left]);
  PutFeedbackBehind(&index.entries);
  return index;
}

TrecIndex TrainFirst(TrecIndex index, double first) {
  const Numbered numbered = NumberMessages(index.entries);
  const size_t count = first < 1
                           ? WholeShare(numbered.messages, first)
                           : static_cast<size_t>(std::min(static_cast<double>(numbered.messages), first));
  for (size_t i = 0; i < index.entries.size(); ++i)
    (numbered.numbers[i] < count ? index.entries[i].classify : index.entries[i].train) = false;
  return TrainedFirst(std::move(index));
}

TrecIndex Fold(const TrecIndex& index, uint64_t folds, uint64_t fold) {
  TrecIndex split = index;
  uint64_t dealt[2] = {0, 0};
  for (TrecEntry& entry : split.entries)
    entry.classify = entry.classify && dealt[entry.is_spam ? 1 : 0]++ % folds == fold;
  const auto file_of = [&](const TrecEntry& entry) {
    return std::filesystem::path(index.FileOf(entry)).lexically_normal().string();
  };
  std::unordered_set<std::string> judged;  // files
  for (const TrecEntry& entry : split.entries) {
    if (entry.classify) judged.insert(file_of(entry));
  }
  for (TrecEntry& entry : split.entries) entry.train = entry.train && !judged.contains(file_of(entry));
  return TrainedFirst(std::move(split));
}

}  // namespace thresher::pipeline
