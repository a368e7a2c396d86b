#include "pipeline/model/rebuild_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pipeline/model/each_example.h"
#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

using storage::Example;

Result<void> RebuildPolicy::NoteStoredTexts() {
  storage::WeightTable& weights = state_->weights;
  if (auto loaded = weights.LoadAll(); !loaded) return StoreFailure(loaded.error());
  std::vector<uint64_t> ids;
  weights.ForEach([&](uint64_t id, const std::byte*) { ids.push_back(id); });
  auto texts = weights.Texts(ids);
  if (!texts) return StoreFailure(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) {
    // A bad example (bad_examples.h) may have left a text that is none of its row's.
    if (state_->id_space.Token((*texts)[i]) == ids[i]) texts_.emplace(ids[i], std::move((*texts)[i]));
  }
  return {};
}

Result<void> RebuildPolicy::NoteLoggedTexts() {
  return ForEachExample(log(), 0, [&](const Example& example) -> Result<bool> {
    auto features = state_->Decode(example);
    if (!features) return tl::unexpected(features.error());
    Prepare(&*features);
    return true;
  });
}

void RebuildPolicy::Prepare(tokenizer::Features* features) {
  for (size_t i = 0; i < features->size(); ++i) {
    if (!features->Text(i).empty()) texts_.try_emplace(features->ids[i], features->Text(i));
  }
  features->KeepIf(
      [&](size_t i) { return tokenizer::IdSpace::IsNgram(features->ids[i]) || HasText(features->ids[i]); });
}

std::string_view RebuildPolicy::TextOf(uint64_t id) const {
  const auto found = texts_.find(id);
  return found == texts_.end() ? std::string_view() : std::string_view(found->second);
}

Result<std::optional<Teaching>> RebuildTaught::TakeNext(const Example& example) {
  Teaching teaching = TeachingOf(example);
  const bool is_first =
      messages_.insert(RehearsalMemory::HashOfMessage(example.message_id, example.digest)).second;
  if (is_first) teaching.evidence = WithoutCorrected(teaching.evidence);
  return teaching;
}

Result<std::optional<Teaching>> RebuildCorrected::TakeNext(const Example& example) {
  const auto last = LastOf(example);
  if (!last) return tl::unexpected(last.error());
  const bool comes_again = last->seq != example.seq;
  if (comes_again ? !taught_.insert(last->seq).second : taught_.contains(example.seq)) return std::nullopt;
  // What the model taught itself is no example of a user's, but what they said of it then is.
  const bool is_own = EvidenceIn(example.evidence) == Evidence::kSelf;
  const uint8_t evidence = is_own ? last->evidence : example.evidence;
  return Teaching{LabelOf(*last), WithoutCorrected(EvidenceIn(evidence)), TurnsIn(evidence)};
}

// The last example of the same message.
Result<Example> RebuildCorrected::LastOf(const Example& example) const {
  const auto seq = log().Find(example.message_id, example.digest);
  if (!seq) return StoreFailure(seq.error());
  if (!*seq || **seq <= example.seq) return example;
  auto last = log().Get(**seq);
  if (!last) return StoreFailure(last.error());
  if (!*last) return tl::unexpected(CorruptStore(fmt::format("example {} is missing", **seq)));
  return **std::move(last);
}

Result<std::optional<Teaching>> RebuildOnly::TakeNext(const Example& example) {
  if (!std::binary_search(seqs_.begin(), seqs_.end(), example.seq)) return std::nullopt;
  return Teaching{LabelOf(example), WithoutCorrected(EvidenceIn(example.evidence)),
                  TurnsIn(example.evidence)};
}

}  // namespace thresher::pipeline
