#include "pipeline/model/message_history.h"

#include <string>
#include <utility>

#include "pipeline/model/bad_examples.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"

namespace thresher::pipeline {

using tokenizer::MessageKey;

Result<std::optional<Label>> MessageHistory::LabelOf(const MessageKey& key) const {
  const auto example = Last(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  return pipeline::LabelOf(**example);
}

Result<std::optional<tokenizer::Features>> MessageHistory::FeaturesOf(const MessageKey& key) const {
  const auto example = Last(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  if (const auto wrong = WrongWithExample(**example, state_->decoder))
    return tl::unexpected(BadExampleError((*example)->seq, *wrong));
  auto features = state_->Decode(**example);
  if (!features) return tl::unexpected(features.error());
  storage::FoundRows found;
  if (auto kept = state_->KeepWhatHasText(&*features, &found); !kept) return tl::unexpected(kept.error());
  return *std::move(features);
}

Result<std::optional<MessageHistory::Taught>> MessageHistory::LastTaught(const MessageKey& key) const {
  const auto example = Last(key);
  if (!example) return tl::unexpected(example.error());
  if (!*example) return std::nullopt;
  return Taught{pipeline::LabelOf(**example), state_->Decode(**example).value_or(tokenizer::Features())};
}

// The last example taught under a key.
Result<std::optional<storage::Example>> MessageHistory::Last(const MessageKey& key) const {
  const auto seq = state_->log.Find(key.message_id, key.digest);
  if (!seq) return StoreFailure(seq.error());
  if (!*seq) return std::nullopt;
  auto example = state_->log.Get(**seq);
  if (!example) return StoreFailure(example.error());
  return *std::move(example);
}

Result<std::vector<MessageKey>> MessageHistory::KeysOf(std::string_view message_id) const {
  const auto digests = state_->log.DigestsOf(message_id);
  if (!digests) return StoreFailure(digests.error());
  std::vector<MessageKey> keys;
  for (const std::string& digest : *digests) keys.push_back({std::string(message_id), digest});
  return keys;
}

Result<std::vector<MessageKey>> MessageHistory::ExpiredKeys() const {
  std::vector<MessageKey> keys;
  for (const uint64_t seq : state_->globals.rehearsal().Before(state_->log.extent().first_seq)) {
    auto example = state_->log.Get(seq);
    if (!example) return StoreFailure(example.error());
    if (*example) keys.push_back({std::move((*example)->message_id), std::move((*example)->digest)});
  }
  return keys;
}

}  // namespace thresher::pipeline
