#include "pipeline/model/vocabulary.h"

#include <fmt/format.h>

#include <unordered_map>

#include "pipeline/model/each_example.h"
#include "pipeline/model/store_error.h"
#include "storage/found_rows.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {

Result<std::vector<VocabularyEntry>> Vocabulary::All() const {
  if (auto loaded = state_->weights.LoadAll(); !loaded) return StoreFailure(loaded.error());
  std::vector<VocabularyEntry> entries;
  state_->weights.ForEach([&](uint64_t id, const std::byte* row) {
    const double weight = state_->learner().Weight(row, state_->globals.learner());
    if (weight != 0) entries.push_back({id, weight, learners::Learner::CountsOf(row)});
  });
  return entries;
}

Result<std::vector<VocabularyEntry>> Vocabulary::Lookup(std::span<const uint64_t> ids) const {
  storage::FoundRows found;
  if (auto done = state_->weights.Find(ids, &found); !done) return StoreFailure(done.error());
  const std::span<const std::byte* const> rows = found.rows();
  std::vector<VocabularyEntry> entries;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::byte* const row = rows[i];
    const bool live = row != nullptr && state_->IsLive(row);
    entries.push_back(live ? VocabularyEntry{ids[i], state_->learner().Weight(row, state_->globals.learner()),
                                             learners::Learner::CountsOf(row)}
                           : VocabularyEntry{ids[i], 0, {}});
  }
  return entries;
}

Result<std::vector<std::string>> Vocabulary::Texts(std::span<const uint64_t> ids) const {
  auto texts = state_->weights.Texts(ids);
  if (!texts) return StoreFailure(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (tokenizer::IdSpace::IsNgram(ids[i])) (*texts)[i] = state_->id_space.NgramText(ids[i]);
    if ((*texts)[i].empty())
      return tl::unexpected(CorruptStore(fmt::format("feature {:016x} has no text", ids[i])));
  }
  return *std::move(texts);
}

Result<std::vector<std::string>> Vocabulary::TextsInLog(std::span<const uint64_t> ids) const {
  auto texts = state_->weights.Texts(ids);
  if (!texts) return StoreFailure(texts.error());
  std::unordered_map<uint64_t, std::string*> wanted;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (tokenizer::IdSpace::IsNgram(ids[i])) (*texts)[i] = state_->id_space.NgramText(ids[i]);
    if ((*texts)[i].empty()) wanted.emplace(ids[i], &(*texts)[i]);
  }
  const auto read = ForEachExample(state_->log, 0, [&](const storage::Example& example) -> Result<bool> {
    if (wanted.empty()) return false;
    const auto features = state_->Decode(example);
    if (!features) return tl::unexpected(features.error());
    for (size_t i = 0; i < features->size(); ++i) {
      const auto found = features->Text(i).empty() ? wanted.end() : wanted.find(features->ids[i]);
      if (found == wanted.end()) continue;
      *found->second = features->Text(i);
      wanted.erase(found);
    }
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  return *std::move(texts);
}

}  // namespace thresher::pipeline
