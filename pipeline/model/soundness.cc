#include "pipeline/model/soundness.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pipeline/model/evidence.h"

namespace thresher::pipeline {
namespace {

const std::byte* Bytes(std::string_view row) { return reinterpret_cast<const std::byte*>(row.data()); }

// Above 1 + ln 2³², the largest value of any scheme (tokenizer/options.h).
constexpr float kLargestValue = 24;

// Not so for NaN either.
bool IsValue(float value) { return value > 0 && value <= kLargestValue; }

std::optional<std::string> WrongWithFeature(uint64_t id, std::string_view text,
                                            const tokenizer::IdSpace& id_space, TextsOfTokens texts) {
  if (tokenizer::IdSpace::IsNgram(id)) {
    if (!text.empty()) return "it is a byte n-gram and has a text";
    if (id_space.Ngram(id_space.NgramBytes(id)) != id) return "no byte n-gram of this model has its id";
    return std::nullopt;
  }
  if (text.empty() && texts == TextsOfTokens::kSome) return std::nullopt;
  if (id_space.Token(text) != id) return "its text is another feature's";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WrongWithRow(std::string_view row, const learners::Learner& learner,
                                        const ModelGlobals& globals) {
  if (row.size() != learner.RowBytes())
    return fmt::format("its row has {} bytes, not {}", row.size(), learner.RowBytes());
  if (!learner.IsSound(Bytes(row), globals.learner()))
    return fmt::format("its row is none that {} makes: a number is not finite or out of bounds",
                       learner.Name());
  return std::nullopt;
}

std::optional<std::string> WrongWithText(uint64_t id, std::string_view text, std::string_view row,
                                         const learners::Learner& learner, const ModelGlobals& globals,
                                         const tokenizer::IdSpace& id_space) {
  if (text.empty() && !tokenizer::IdSpace::IsNgram(id) && learner.Weight(Bytes(row), globals.learner()) != 0)
    return "it has a weight and no text";
  return WrongWithFeature(id, text, id_space, TextsOfTokens::kSome);
}

std::optional<std::string> WrongWithFeatures(const tokenizer::Features& features,
                                             const tokenizer::IdSpace& id_space, TextsOfTokens texts) {
  if (!std::all_of(features.values.begin(), features.values.end(), IsValue))
    return fmt::format("the value of a feature is not above 0 and up to {}", kLargestValue);
  for (size_t i = 0; i < features.size(); ++i) {
    if (const auto wrong = WrongWithFeature(features.ids[i], features.Text(i), id_space, texts))
      return fmt::format("feature {:016x}: {}", features.ids[i], *wrong);
  }
  std::vector<uint64_t> ids = features.ids;
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) return "it has a feature twice";
  return std::nullopt;
}

std::optional<std::string> WrongWithExample(const storage::Example& example,
                                            const tokenizer::FeatureDecoder& decoder) {
  const bool is_labelled = example.label == 1 || example.label == -1;
  if (!is_labelled && !storage::IsForgotten(example)) return "its label is neither spam nor ham";
  if (!IsSoundEvidence(example.evidence)) return "why it was taught is not known";
  const auto features = decoder.Decode(example.features);
  if (!features) return "its features cannot be decoded";
  if (storage::IsForgotten(example) &&
      features->size() + example.message_id.size() + example.digest.size() > 0)
    return "it is forgotten, but not empty";
  return WrongWithFeatures(*features, decoder.id_space(), TextsOfTokens::kSome);
}

}  // namespace thresher::pipeline
