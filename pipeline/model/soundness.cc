#include "pipeline/model/soundness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/model/taught.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

const std::byte* Bytes(std::string_view row) { return reinterpret_cast<const std::byte*>(row.data()); }

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
  if (tokenizer::IdSpace::IsNgram(id)) {
    if (!text.empty()) return "it is a byte n-gram and has a text";
    if (id_space.Ngram(id_space.NgramBytes(id)) != id) return "no byte n-gram of this model has this id";
    return std::nullopt;
  }
  if (text.empty()) {
    if (!learner.IsLive(Bytes(row), globals.learner())) return std::nullopt;
    return "it is alive and has no text";
  }
  if (id_space.Token(text) != id) return "its text is another feature's";
  return std::nullopt;
}

std::optional<std::string> WrongWithExample(const storage::Example& example,
                                            const tokenizer::IdSpace& id_space) {
  const bool is_labelled = example.label == 1 || example.label == -1;
  if (!is_labelled && !storage::IsForgotten(example)) return "its label is neither spam nor ham";
  if (!IsSoundEvidence(example.evidence)) return "why it was taught is not known";
  const auto features = tokenizer::DecodeFeatures(example.features, id_space);
  if (!features) return "its features cannot be decoded";
  if (storage::IsForgotten(example) &&
      features->size() + example.message_id.size() + example.digest.size() > 0)
    return "it is forgotten, but not empty";
  const bool finite =
      std::all_of(features->values.begin(), features->values.end(), [](float x) { return std::isfinite(x); });
  if (!finite) return "a value of a feature is not finite";
  return std::nullopt;
}

}  // namespace thresher::pipeline
