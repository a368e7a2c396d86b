// Encodes the tokens of one message by their texts, from which their ids follow.
//
// Used by feature_codec.cc. The texts compress to a fraction of the eight bytes that an id takes: a pair of
// words takes one to five bytes, as its words are tokens of the same message, and words are what zstd finds
// again in other messages. token_run.cc has the layout. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/codec_bytes.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

// Whether the tokenizer made the features in this id space, so that their ids follow from their texts.
inline bool AreOf(const Features& features, const IdSpace& id_space) {
  return features.seed == id_space.seed();
}

class TokenRunEncoder {
 public:
  // Both must outlive it.
  TokenRunEncoder(const Features& features, const IdSpace& id_space);

  // Whether the feature can be encoded here: it has a text, from which its id follows.
  bool Takes(size_t i) const;
  // Appends the feature to *out. REQUIRES: Takes(i); i ascends from call to call.
  void Put(size_t i, std::string* out);

 private:
  // The places of a pair's words among the features.
  struct Words {
    size_t first;
    size_t second;
  };

  // The words of feature i if it is a pair: as the tokenizer noted them, or looked for among the texts.
  std::optional<Words> WordsOf(size_t i, std::string_view text);
  std::optional<Words> NotedWordsOf(size_t i);
  std::optional<Words> FindWordsOf(size_t i, std::string_view text);
  std::optional<size_t> Find(std::string_view text);
  uint32_t* SlotOf(uint64_t id);
  void PutPair(size_t i, const Words& words, std::string* out);
  void PutText(std::string_view text, std::string* out);

  const Features* features_;
  const IdSpace* id_space_;
  const bool noted_;             // the tokenizer noted the words of pairs
  size_t next_pair_ = 0;         // of features_->pairs
  std::vector<uint32_t> slots_;  // by id: 1 + the place of a feature; 0: empty. Unless noted_
  std::string word_;             // kept to save allocations
  std::string_view field_;       // of the last token that was no pair
  size_t last_word_ = 0;         // place of the second word of the last pair
};

class TokenRunDecoder {
 public:
  // `features` is what was decoded so far. Both must outlive it.
  TokenRunDecoder(Features* features, const IdSpace& id_space) : features_(features), id_space_(&id_space) {}

  // Takes one token from the reader and adds it to the features, without a value. If the bytes are no token,
  // the reader fails.
  void Take(CodecReader* reader);

 private:
  void TakePair(size_t first, size_t second, CodecReader* reader);
  size_t TakePlace(CodecReader* reader) const;
  void Add();

  Features* features_;
  const IdSpace* id_space_;
  std::string text_;  // kept to save allocations
  std::string field_;
  size_t last_word_ = 0;
};

}  // namespace thresher::tokenizer
