// Collects the features of one message: each once, in order of first occurrence, with its text and its value.
//
// Called by everything in tokenizer/ that makes tokens. Reused from message to message, so that a token needs
// no allocation. Thread-safety: serves one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/distinct_index.h"
#include "tokenizer/feature_kind.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/options.h"

namespace thresher::tokenizer {

class FeatureBuilder {
 public:
  // A longer token is cut at a character boundary to at most this many bytes.
  static constexpr size_t kMaxText = 128;
  // See AddWords.
  static constexpr size_t kSlack = 16;

  // `limit`: distinct features per message. Further features are dropped and mark the message as truncated.
  FeatureBuilder(uint64_t seed, size_t limit);

  // Begins a message. *out is valid after Finish().
  void Start(Features* out);

  // Adds a token whose text is the pieces, joined.
  template <typename... Pieces>
  void Add(const Pieces&... pieces) {
    char* const begin = RoomForText((std::string_view(pieces).size() + ...));
    char* end = begin;
    ((end = Append(end, pieces)), ...);
    AddText({begin, static_cast<size_t>(end - begin)});
  }

  // Adds FIELD + word for each word; with `pairs`, after each but the first also "pair:" + FIELD + the word
  // before it + ' ' + the word. Gives what an Add for each gives, in half the time. REQUIRES: a word has at
  // most kMaxText bytes, and kSlack bytes behind it can be read.
  void AddWords(std::string_view field, std::span<const std::string_view> words, bool pairs);

  // Adds byte n-grams, each with its number of occurrences. REQUIRES: they are distinct, and none was added
  // before. An n-gram is its four bytes, the first one most significant.
  void AddNgrams(std::span<const uint32_t> ngrams, std::span<const uint32_t> counts);

  void SetTruncated() { out_->truncated = true; }
  void Finish(ValueScheme scheme);

 private:
  // Texts that are numbered together: so the processor works on many at a time, and not each on its own.
  struct Batch {
    static constexpr size_t kTexts = 64;
    static constexpr size_t kBytes = 8192;
    static constexpr size_t kLongest = 3 * kMaxText + 64;  // of one text

    std::array<std::string_view, kTexts> texts{};
    std::array<uint64_t, kTexts> ids{};
    std::array<FeatureKind, kTexts> kinds{};
    std::array<char, kBytes> bytes{};
    size_t size = 0;
    size_t used = 0;  // of bytes
  };

  static char* Append(char* to, std::string_view piece) {
    if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
    return to + piece.size();
  }
  // Where the next text is written; has room for `size` bytes.
  char* RoomForText(size_t size) {
    if (texts_size_ + size > texts_.size()) texts_.resize(2 * (texts_size_ + size));
    return texts_.data() + texts_size_;
  }
  // REQUIRES: `text` is at the address that RoomForText() returned.
  void AddText(std::string_view text);
  // Adds the feature if it is new: its text, of that size, then is the one at the end of texts_. REQUIRES:
  // there is room for one more. Returns its number.
  uint32_t Number(uint64_t id, size_t text_size, FeatureKind kind);
  // Makes room for so many more.
  void Reserve(size_t features);
  void Normalise();
  void Balance();
  void SetFrequencies();

  // Where the next text of the batch is written; has room for kLongest bytes.
  char* RoomInBatch();
  // REQUIRES: the text is at the address that RoomInBatch() returned, and ends at `end`.
  void AddToBatch(char* end, FeatureKind kind);
  void NumberBatch();
  // Notes the words of a pair, which was new, if its text is theirs.
  void NotePair(uint32_t pair);
  size_t TextSize(uint32_t number) const {
    return out_->text_ends[number] - (number == 0 ? 0 : out_->text_ends[number - 1]);
  }

  IdSpace ids_;
  size_t limit_;
  DistinctIndex<uint64_t> tokens_;
  size_t size_ = 0;                 // features; the vectors of out_, and counts_, are longer
  std::vector<uint32_t> counts_;    // number of occurrences of feature i
  std::vector<FeatureKind> kinds_;  // of feature i, if it is a token
  size_t first_ngram_ = 0;
  size_t ngrams_ = 0;
  std::vector<char> texts_;
  size_t texts_size_ = 0;
  Batch batch_;
  std::string prefix_;  // "pair:" + FIELD, then kSlack bytes
  // The numbers of the last two words of AddWords.
  uint32_t last_word_ = 0;
  uint32_t word_ = 0;
  Features* out_ = nullptr;
};

}  // namespace thresher::tokenizer
