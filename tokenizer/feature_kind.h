// The kinds of features that share the norm of a message (ValueScheme::kBalanced).
//
// Used by FeatureBuilder and by feature_codec, which writes one value for each kind: what is stored depends
// on the kinds, their order and the texts that belong to them. A change needs another flag there.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

enum class FeatureKind : uint8_t { kNgram, kPair, kBodyWord, kSubject, kOther };
inline constexpr size_t kFeatureKinds = 5;

// Of a token, by its text or by its field, "body:".
inline FeatureKind KindOfToken(std::string_view text) {
  if (text.starts_with("pair:")) return FeatureKind::kPair;
  if (text.starts_with("body:")) return FeatureKind::kBodyWord;
  if (text.starts_with("subject:")) return FeatureKind::kSubject;
  return FeatureKind::kOther;
}

inline constexpr std::string_view kUserField = "user:";  // what a user's token (user.h) begins with

// A user's token is of the kind of the message's token.
inline FeatureKind KindOfFeature(uint64_t id, std::string_view text) {
  if (text.empty() && IdSpace::IsNgram(id)) return FeatureKind::kNgram;
  if (text.starts_with(kUserField)) text.remove_prefix(text.find('/') + 1);
  return KindOfToken(text);
}

}  // namespace thresher::tokenizer
