#include "pipeline/model/rehearsal_features.h"

#include <algorithm>
#include <utility>

namespace thresher::pipeline {
namespace {

bool HasAllTexts(const tokenizer::Features& features) {
  uint32_t begin = 0;
  for (size_t i = 0; i < features.size(); begin = features.text_ends[i++]) {
    if (features.text_ends[i] == begin && !tokenizer::IdSpace::IsNgram(features.ids[i])) return false;
  }
  return true;
}

}  // namespace

size_t RehearsalFeatures::BytesOf(const Kept& kept) {
  return sizeof(kept) + kept.ids.size() * sizeof(uint32_t) + kept.distinct.size() * sizeof(float) +
         kept.places.size();
}

void RehearsalFeatures::KeepValues(const std::vector<float>& values, Kept* kept) {
  kept->places.reserve(values.size());
  for (const float value : values) {
    auto& distinct = kept->distinct;
    const auto found =
        std::ranges::find_if(distinct, [value](float other) { return tokenizer::SameBits(value, other); });
    const auto place = static_cast<size_t>(found - distinct.begin());
    if (place == kPlaces) {
      distinct = values;
      kept->places.assign(values.size(), 0);
      return;
    }
    if (found == distinct.end()) distinct.push_back(value);
    kept->places.push_back(static_cast<uint8_t>(place));
  }
  kept->distinct.shrink_to_fit();
}

bool RehearsalFeatures::KeepIds(const std::vector<uint64_t>& ids, Kept* kept) const {
  const auto ngrams = std::ranges::count_if(ids, tokenizer::IdSpace::IsNgram);
  kept->ids.reserve(2 * ids.size() - static_cast<size_t>(ngrams));
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!tokenizer::IdSpace::IsNgram(ids[i])) {
      kept->ids.push_back(static_cast<uint32_t>(ids[i] >> 32));
      kept->ids.push_back(static_cast<uint32_t>(ids[i]));
      continue;
    }
    const uint32_t bytes = id_space_.NgramBytes(ids[i]);
    if (id_space_.Ngram(bytes) != ids[i]) return false;
    kept->ids.push_back(bytes);
    kept->places[i] |= kNgram;
  }
  return true;
}

void RehearsalFeatures::Add(const RehearsalMemory::Entry& entry, const tokenizer::Features& features) {
  if (kept_.contains(entry.seq) || !HasAllTexts(features)) return;
  Kept kept{.message = entry.message, .ids = {}, .places = {}, .distinct = {}};
  KeepValues(features.values, &kept);
  if (!KeepIds(features.ids, &kept)) return;
  bytes_ += BytesOf(kept);
  kept_.emplace(entry.seq, std::move(kept));
  while (bytes_ > most_bytes_) {
    bytes_ -= BytesOf(kept_.begin()->second);
    kept_.erase(kept_.begin());
  }
}

bool RehearsalFeatures::Find(const RehearsalMemory::Entry& entry, std::vector<uint64_t>* ids,
                             std::vector<float>* values) const {
  const auto found = kept_.find(entry.seq);
  if (found == kept_.end() || found->second.message != entry.message) return false;
  const Kept& kept = found->second;
  const size_t size = kept.places.size();
  ids->resize(size);
  auto next = kept.ids.begin();
  for (size_t i = 0; i < size; ++i) {
    const uint64_t first = *next++;
    (*ids)[i] = (kept.places[i] & kNgram) != 0 ? id_space_.Ngram(static_cast<uint32_t>(first))
                                               : first << 32 | *next++;
  }
  if (kept.distinct.size() > kPlaces) {
    *values = kept.distinct;
    return true;
  }
  values->resize(size);
  std::ranges::transform(kept.places, values->begin(),
                         [&kept](uint8_t place) { return kept.distinct[place & ~kNgram]; });
  return true;
}

}  // namespace thresher::pipeline
