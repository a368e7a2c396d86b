#include "pipeline/model/rehearsal_features.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

size_t BytesOf(const RehearsalFeatures::Kept& kept) {
  return sizeof(kept) + kept.ids.size() * sizeof(uint64_t) + kept.distinct.size() * sizeof(float) +
         kept.places.size();
}

bool SameBits(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

void KeepValues(const std::vector<float>& values, RehearsalFeatures::Kept* kept) {
  constexpr size_t kPlaces = size_t{std::numeric_limits<uint8_t>::max()} + 1;
  kept->places.reserve(values.size());
  for (const float value : values) {
    auto& distinct = kept->distinct;
    const auto found =
        std::ranges::find_if(distinct, [value](float other) { return SameBits(value, other); });
    const auto place = static_cast<size_t>(found - distinct.begin());
    if (place == kPlaces) {
      distinct = values;
      kept->places = {};
      return;
    }
    if (found == distinct.end()) distinct.push_back(value);
    kept->places.push_back(static_cast<uint8_t>(place));
  }
  kept->distinct.shrink_to_fit();
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
  if (places.empty()) {
    *values = distinct;
    return;
  }
  values->resize(places.size());
  std::ranges::transform(places, values->begin(), [this](uint8_t place) { return distinct[place]; });
}

void RehearsalFeatures::Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features) {
  if (!HasAllTexts(features)) return;
  const auto [added, is_new] = kept_.try_emplace(entry.seq, Kept{entry.message, features.ids, {}, {}});
  if (!is_new) return;
  KeepValues(features.values, &added->second);
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
