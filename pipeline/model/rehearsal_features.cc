#include "pipeline/model/rehearsal_features.h"

#include <bit>
#include <span>
#include <utility>

#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

using Run = RehearsalFeatures::Run;

size_t BytesOf(const RehearsalFeatures::Kept& kept) {
  return sizeof(kept) + kept.ids.size() * sizeof(uint64_t) + kept.runs.size() * sizeof(Run);
}

std::vector<Run> RunsOf(std::span<const float> values) {
  std::vector<Run> runs;
  for (const float value : values) {
    const bool same =
        !runs.empty() && std::bit_cast<uint32_t>(runs.back().value) == std::bit_cast<uint32_t>(value);
    if (!same) runs.push_back({0, value});
    ++runs.back().size;
  }
  runs.shrink_to_fit();
  return runs;
}

bool HasAllTexts(const tokenizer::Features& features) {
  uint32_t begin = 0;
  for (size_t i = 0; i < features.size(); begin = features.text_ends[i++]) {
    if (features.text_ends[i] == begin && !tokenizer::IdSpace::IsNgram(features.ids[i])) return false;
  }
  return true;
}

}  // namespace

void RehearsalFeatures::Kept::GetValues(std::vector<float>* values) const {
  values->clear();
  for (const Run& run : runs) values->insert(values->end(), run.size, run.value);
}

void RehearsalFeatures::Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features) {
  if (!HasAllTexts(features)) return;
  const auto [added, is_new] =
      kept_.try_emplace(entry.seq, Kept{entry.message, features.ids, RunsOf(features.values)});
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
