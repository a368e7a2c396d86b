#include "pipeline/model/rehearsal_features.h"

#include <utility>

#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

size_t BytesOf(const RehearsalFeatures::Kept& kept) {
  return sizeof(kept) + kept.ids.size() * (sizeof(uint64_t) + sizeof(float));
}

bool HasAllTexts(const tokenizer::Features& features) {
  uint32_t begin = 0;
  for (size_t i = 0; i < features.size(); begin = features.text_ends[i++]) {
    if (features.text_ends[i] == begin && !tokenizer::IdSpace::IsNgram(features.ids[i])) return false;
  }
  return true;
}

}  // namespace

void RehearsalFeatures::Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features) {
  if (!HasAllTexts(features)) return;
  const auto [added, is_new] =
      kept_.try_emplace(entry.seq, Kept{entry.message, features.ids, features.values});
  if (!is_new) return;
  bytes_ += BytesOf(added->second);
  while (bytes_ > most_bytes_) {
    bytes_ -= BytesOf(kept_.begin()->second);
    kept_.erase(kept_.begin());
  }
}

const RehearsalFeatures::Kept* RehearsalFeatures::Find(const RehearsalMemory::Entry& entry) const {
  const auto found = kept_.find(entry.seq);
  return found == kept_.end() || found->second.message != entry.message ? nullptr : &found->second;
}

}  // namespace thresher::pipeline
