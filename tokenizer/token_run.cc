#include "tokenizer/token_run.h"

#include <bit>

#include "tokenizer/feature_builder.h"

// Each token begins with a varint:
//
//   0       a pair. Its first word is the second word of the pair before; its second word is the feature
//   before
//           this one
//   1       a pair. Its first word as with 0; varint: how many features before this one its second word is
//   2       a pair. Two varints: how many features before this one each of its words is
//   3 + 2n  the field of the last token that was no pair, followed by these n bytes
//   4 + 2n  these n bytes
//
// The words of the pair `pair:body:for you` are `body:for` and `body:you`. A field ends with the first colon.
// Places reach back over all features of the message.
namespace thresher::tokenizer {
namespace {

constexpr uint64_t kChainedToLast = 0;
constexpr uint64_t kChained = 1;
constexpr uint64_t kPlaces = 2;
constexpr uint64_t kFirstText = 3;
constexpr std::string_view kPair = "pair:";

std::string_view FieldOf(std::string_view text) { return text.substr(0, text.find(':') + 1); }

}  // namespace

TokenRunEncoder::TokenRunEncoder(const Features& features, const IdSpace& id_space)
    : features_(&features),
      id_space_(&id_space),
      noted_(AreOf(features, id_space)),
      slots_(noted_ ? 0 : std::bit_ceil(2 * features.size() + 1)) {}

bool TokenRunEncoder::Takes(size_t i) const {
  const std::string_view text = features_->Text(i);
  if (noted_) return !text.empty();
  return !text.empty() && text.size() <= FeatureBuilder::kMaxText &&
         id_space_->Token(text) == features_->ids[i];
}

void TokenRunEncoder::Put(size_t i, std::string* out) {
  const std::string_view text = features_->Text(i);
  if (const auto words = WordsOf(i, text)) {
    PutPair(i, *words, out);
  } else {
    PutText(text, out);
  }
  if (!noted_) *SlotOf(features_->ids[i]) = static_cast<uint32_t>(i + 1);
}

// Ids are hashes.
uint32_t* TokenRunEncoder::SlotOf(uint64_t id) {
  const size_t mask = slots_.size() - 1;
  size_t slot = id & mask;
  while (slots_[slot] != 0 && features_->ids[slots_[slot] - 1] != id) slot = (slot + 1) & mask;
  return &slots_[slot];
}

std::optional<size_t> TokenRunEncoder::Find(std::string_view text) {
  const size_t slot = *SlotOf(id_space_->Token(text));
  if (slot == 0 || features_->Text(slot - 1) != text) return std::nullopt;
  return slot - 1;
}

std::optional<TokenRunEncoder::Words> TokenRunEncoder::WordsOf(size_t i, std::string_view text) {
  return noted_ ? NotedWordsOf(i) : FindWordsOf(i, text);
}

std::optional<TokenRunEncoder::Words> TokenRunEncoder::NotedWordsOf(size_t i) {
  const auto& pairs = features_->pairs;
  if (next_pair_ == pairs.size() || pairs[next_pair_].pair != i) return std::nullopt;
  const Features::WordPair& noted = pairs[next_pair_++];
  return Words{noted.first, noted.second};
}

// Mostly the first word is the second one of the pair before, and the second word was new and is the feature
// before; then nothing has to be looked up.
std::optional<TokenRunEncoder::Words> TokenRunEncoder::FindWordsOf(size_t i, std::string_view text) {
  if (!text.starts_with(kPair)) return std::nullopt;
  text.remove_prefix(kPair.size());
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view first = text.substr(0, space);
  const std::string_view second = text.substr(space + 1);
  const std::string_view field = FieldOf(first);
  if (field.empty()) return std::nullopt;
  const auto at_first = features_->Text(last_word_) == first ? std::optional(last_word_) : Find(first);
  if (!at_first) return std::nullopt;
  const std::string_view before = i == 0 ? std::string_view() : features_->Text(i - 1);
  if (before.size() == field.size() + second.size() && before.starts_with(field) && before.ends_with(second))
    return Words{*at_first, i - 1};
  word_ = field;
  word_ += second;
  const auto at_second = Find(word_);
  if (!at_second) return std::nullopt;
  return Words{*at_first, *at_second};
}

void TokenRunEncoder::PutPair(size_t i, const Words& words, std::string* out) {
  const bool is_chained = words.first == last_word_;
  if (is_chained && words.second + 1 == i) {
    PutVarint(kChainedToLast, out);
  } else {
    PutVarint(is_chained ? kChained : kPlaces, out);
    if (!is_chained) PutVarint(i - words.first, out);
    PutVarint(i - words.second, out);
  }
  last_word_ = words.second;
}

void TokenRunEncoder::PutText(std::string_view text, std::string* out) {
  const bool same_field = !field_.empty() && text.starts_with(field_);  // which ends at its first colon
  if (same_field) text.remove_prefix(field_.size());
  PutVarint(kFirstText + 2 * text.size() + (same_field ? 0 : 1), out);
  out->append(text);
  if (!same_field) field_ = FieldOf(text);
}

void TokenRunDecoder::Take(CodecReader* reader) {
  const uint64_t head = reader->Varint();
  if (head < kFirstText) {
    const size_t first = head == kPlaces ? TakePlace(reader) : last_word_;
    const size_t second = head == kChainedToLast ? features_->size() - 1 : TakePlace(reader);
    TakePair(first, second, reader);
    return;
  }
  const bool same_field = (head - kFirstText) % 2 == 0;
  const std::string_view bytes = reader->Bytes((head - kFirstText) / 2);
  if (same_field) {
    text_ = field_;
    text_ += bytes;
  } else {
    text_ = bytes;
    field_ = FieldOf(text_);
  }
  if (text_.empty() || text_.size() > FeatureBuilder::kMaxText) reader->Fail();
  if (reader->Ok()) Add();
}

// Past the last feature if there is no such place.
size_t TokenRunDecoder::TakePlace(CodecReader* reader) const {
  const uint64_t back = reader->Varint();
  return back == 0 || back > features_->size() ? features_->size() : features_->size() - back;
}

void TokenRunDecoder::TakePair(size_t first, size_t second, CodecReader* reader) {
  if (first >= features_->size() || second >= features_->size()) reader->Fail();
  if (!reader->Ok()) return;
  const std::string_view field = FieldOf(features_->Text(first));
  const std::string_view word = features_->Text(second);
  if (field.empty() || !word.starts_with(field)) {
    reader->Fail();
    return;
  }
  text_ = kPair;
  text_ += features_->Text(first);
  text_ += ' ';
  text_ += word.substr(field.size());
  last_word_ = second;
  if (text_.size() > FeatureBuilder::kMaxText) {
    reader->Fail();
    return;
  }
  Add();
}

void TokenRunDecoder::Add() {
  features_->ids.push_back(id_space_->Token(text_));
  features_->texts += text_;
  features_->text_ends.push_back(static_cast<uint32_t>(features_->texts.size()));
}

}  // namespace thresher::tokenizer
